import CircleCheck from 'lucide-react/icons/circle-check-big';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import CircleX from 'lucide-react/icons/circle-x';
import CloudOff from 'lucide-react/icons/cloud-off';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';

/** Distinguished by colour, icon and text. Red and green are equally strong in the dark theme. */
export type VerdictTone = 'good' | 'bad' | 'partly' | 'open' | 'offline';

const TONES: Readonly<Record<VerdictTone, { colours: string; sign: ReactNode }>> = {
  good: { colours: 'bg-verdict-good text-verdict-ink', sign: <CircleCheck size={56} /> },
  bad: { colours: 'bg-verdict-bad text-verdict-ink', sign: <CircleX size={56} /> },
  partly: { colours: 'bg-card-from text-card-ink', sign: <TriangleAlert size={56} /> },
  open: { colours: 'bg-card-from text-card-ink', sign: <CircleHelp size={56} /> },
  offline: {
    colours: 'bg-card-from text-card-ink border-4 border-dashed border-current',
    sign: <CloudOff size={56} />,
  },
};

interface VerdictProps {
  tone: VerdictTone;
  title: string;
  children?: ReactNode;
}

/** The outcome, readable at arm's length in the dark. */
export function Verdict({ tone, title, children }: VerdictProps) {
  const { colours, sign } = TONES[tone];
  return (
    <div
      data-tone={tone}
      className={`rounded-large animate-enter flex flex-col items-center gap-3 px-5 py-7 text-center ${colours}`}
    >
      <span aria-hidden="true" className="animate-pop">
        {sign}
      </span>
      <h2 className="font-display text-headline font-bold tracking-tight text-balance">{title}</h2>
      {children !== undefined && <p className="text-lead max-w-form text-pretty">{children}</p>}
    </div>
  );
}
