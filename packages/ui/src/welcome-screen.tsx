import type { ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { Wordmark } from './brand-mark.tsx';
import { PoweredBy } from './powered-by.tsx';
import { WelcomeArt } from './welcome-art.tsx';

export interface WelcomeScreenProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
  /** The one button. */
  action: ReactNode;
}

/** The first screen of all: the picture above on a phone, beside the words from 900 px on. */
export function WelcomeScreen({ title, lead, children, action }: WelcomeScreenProps) {
  return (
    <>
      <title>{`${title} · ${brand.name}`}</title>
      <div className="rail:grid rail:grid-cols-2 flex min-h-dvh flex-col">
        <WelcomeArt className="rail:order-last rail:h-dvh rail:sticky rail:top-0 small:h-[52dvh] h-[42dvh] min-h-52 shrink-0" />
        <div className="safe-inline flex grow flex-col">
          <main className="max-w-form rail:justify-center mx-auto flex w-full grow flex-col gap-4 px-5 pt-6">
            <Wordmark />
            <h1 className="font-display text-headline rail:text-display font-bold tracking-tight text-balance">
              {title}
            </h1>
            <p className="text-lead font-semibold text-pretty">{lead}</p>
            {children}
            <div className="rail:mt-4 mt-auto pt-4">{action}</div>
          </main>
          <PoweredBy />
        </div>
      </div>
    </>
  );
}
