import type { ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { Wordmark } from './brand-mark.tsx';
import { PoweredBy } from './powered-by.tsx';

export interface WelcomeScreenProps {
  title: string;
  lead: ReactNode;
  /** The picture, which fills its flex box. */
  art: ReactNode;
  children: ReactNode;
  /** The only button. */
  action: ReactNode;
}

/** The first screen. On a phone the picture is between the texts, from 900 px beside them. */
export function WelcomeScreen({ title, lead, art, children, action }: WelcomeScreenProps) {
  return (
    <>
      <title>{`${title} · ${brand.name}`}</title>
      <div className="safe-inline rail:w-1/2 flex min-h-dvh flex-col">
        <main
          id="content"
          tabIndex={-1}
          className="max-w-form rail:justify-center mx-auto flex w-full grow flex-col gap-6 px-5 pt-[max(0.75rem,env(safe-area-inset-top))] outline-none"
        >
          <Wordmark className="min-h-11" />
          <div className="flex flex-col gap-2">
            <h1 className="font-display text-headline rail:text-display font-bold tracking-tight text-balance">
              {title}
            </h1>
            <p className="text-body text-ink-quiet rail:text-lead text-pretty">{lead}</p>
          </div>
          <div className="rail:fixed rail:inset-y-6 rail:right-6 rail:left-1/2 flex grow flex-col">
            {art}
          </div>
          {children}
          {action}
        </main>
        <PoweredBy />
      </div>
    </>
  );
}
