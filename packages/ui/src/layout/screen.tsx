import type { ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { Header } from './header.tsx';
import type { HeaderProps } from './header.tsx';
import { PoweredBy } from './powered-by.tsx';

/** Wraps every signed-in screen and leaves room for the navigation: at the bottom of a phone, on the left from 900 px. */
export function AppFrame(props: { nav: ReactNode; children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="rounded-pill bg-primary text-primary-ink sr-only z-50 px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {m.shell_skip_to_content()}
      </a>
      <div className="rail:pb-0 rail:pl-60 pb-[calc(4.25rem+env(safe-area-inset-bottom))]">
        {props.children}
      </div>
      {props.nav}
    </>
  );
}

export interface ScreenProps extends HeaderProps {
  children: ReactNode;
  /** The primary action: below the content, within the thumb's reach on a phone. */
  action?: ReactNode;
  /** `form` is narrower: a single column of fields. */
  width?: 'column' | 'form';
  /** Hides the footer until the content has loaded, because it would move below a skeleton. */
  isLoading?: boolean;
}

/** A signed-in screen: header, readable column, primary action and footer. Sets the document's title. */
export function Screen(props: ScreenProps) {
  const { children, action, width = 'column', isLoading = false, ...header } = props;
  return (
    <>
      <title>{`${header.title} · ${brand.name}`}</title>
      <main
        id="content"
        tabIndex={-1}
        className={classNames(
          'safe-inline mx-auto flex min-h-[calc(100dvh-4.25rem)] w-full flex-col outline-none',
          'rail:min-h-dvh',
          width === 'form' ? 'max-w-[32rem]' : 'max-w-column',
        )}
      >
        <div className="rail:pt-10 flex grow flex-col gap-5 px-4 pt-[max(0.75rem,env(safe-area-inset-top))]">
          <Header {...header} />
          {children}
          {action !== undefined && <div className="rail:mt-2 mt-auto pt-4">{action}</div>}
        </div>
        {!isLoading && <PoweredBy />}
      </main>
    </>
  );
}
