import type { ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { classNames } from '../primitives/class-names.ts';
import { BackLink } from './back-link.tsx';
import { Wordmark } from './brand-mark.tsx';
import { PoweredBy } from './powered-by.tsx';

export interface AuthScreenProps {
  title: string;
  lead?: ReactNode;
  backTo?: string;
  children: ReactNode;
}

/** A signed-out screen: mark, title and form, in a centred card if there is room. */
export function AuthScreen({ title, lead, backTo, children }: AuthScreenProps) {
  return (
    <>
      <title>{`${title} · ${brand.name}`}</title>
      <div className="safe-inline small:justify-center flex min-h-dvh flex-col items-center">
        <main
          id="content"
          tabIndex={-1}
          className={classNames(
            'max-w-form flex w-full grow flex-col gap-6 px-5 outline-none pt-[max(0.75rem,env(safe-area-inset-top))]',
            'small:grow-0 small:rounded-large small:bg-surface small:p-8 small:shadow-card small:inset-ring small:inset-ring-line',
          )}
        >
          <div className="flex flex-col gap-6">
            {backTo === undefined ? (
              <Wordmark className="min-h-11" />
            ) : (
              <header className="flex min-h-11 items-center">
                <BackLink to={backTo} />
              </header>
            )}
            <div className="flex flex-col gap-2">
              <h1 className="font-display text-headline font-bold tracking-tight text-balance">
                {title}
              </h1>
              {lead !== undefined && <p className="text-body text-ink-quiet text-pretty">{lead}</p>}
            </div>
          </div>
          {children}
        </main>
        <PoweredBy />
      </div>
    </>
  );
}
