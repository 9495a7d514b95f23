import { wantsDarkInk } from '@athos/domain/colour';
import { m } from '@athos/messages/messages';
import type { ReactNode } from 'react';
import type { TierScan } from '../../api/codes.ts';
import { HolderLine } from './holder-line.tsx';
import { NextButton, Panel } from './panel.tsx';

/** The guest's current tier, in its colour and in words. */
export function TierPanel({ scan, onNext }: { scan: TierScan; onNext: () => void }) {
  const { tier, holder } = scan;
  return (
    <Panel action={<NextButton onNext={onNext} />}>
      {tier === null ? (
        <TierCard look="bg-surface text-ink inset-ring inset-ring-line">
          <TierTitle title={m.common_tier_none()} text={m.scanner_app_tier_none()} />
        </TierCard>
      ) : (
        <TierCard
          look={wantsDarkInk(tier.colour) ? 'text-qr-ink' : 'text-qr-ground'}
          colour={tier.colour}
        >
          <TierTitle
            title={m.common_tier_badge({ title: tier.title })}
            text={m.scanner_app_tier_now()}
          />
        </TierCard>
      )}
      <HolderLine holder={holder} />
    </Panel>
  );
}

interface TierCardProps {
  look: string;
  /** The tier's colour. */
  colour?: string;
  children: ReactNode;
}

function TierCard({ look, colour, children }: TierCardProps) {
  return (
    <div
      className={`rounded-large animate-enter flex min-h-64 flex-col items-center justify-center gap-3 px-5 py-10 text-center ${look}`}
      style={{ backgroundColor: colour }}
    >
      {children}
    </div>
  );
}

function TierTitle({ title, text }: { title: string; text: string }) {
  return (
    <>
      <h2 className="font-display text-display max-w-full font-bold tracking-tight text-balance wrap-anywhere">
        {title}
      </h2>
      <p className="text-lead text-pretty">{text}</p>
    </>
  );
}
