import { createContext, createElement, use } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { Header } from './header.tsx';
import type { HeaderProps } from './header.tsx';
import { PoweredBy } from './powered-by.tsx';

/** The default content of a screen's second column. */
export const Activity = createContext<ReactNode>(undefined);
/** The component that renders the screens below, for example as a detail beside a list. By default each is a whole screen. */
export const ScreenFrame = createContext<ComponentType<ScreenProps>>(WholeScreen);

interface AppFrameProps {
  nav: ReactNode;
  /** Shown beside the screens that leave room for it. Omit it if there is none (`useHasRoomBeside`). */
  activity?: ReactNode;
  children: ReactNode;
}

/**
 * Wraps every signed-in screen: above the navigation of a phone, and from 900 px on to the right of its rail. It queries the width of a
 * container in rem, not that of the window, so that large text gets the layout of a narrow screen.
 */
export function AppFrame({ nav, activity, children }: AppFrameProps) {
  return (
    <>
      <a
        href="#content"
        className="rounded-pill bg-primary text-primary-ink sr-only z-50 px-5 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {m.shell_skip_to_content()}
      </a>
      <div className="@container/shell">
        <div className="@rail/shell:flex-row max-w-frame mx-auto flex min-h-dvh flex-col">
          {nav}
          <div className="flex min-w-0 grow flex-col">
            <Activity value={activity}>{children}</Activity>
          </div>
        </div>
      </div>
    </>
  );
}

export interface ScreenProps extends HeaderProps {
  children: ReactNode;
  /** The primary action: below the content, within the thumb's reach on a phone. */
  action?: ReactNode;
  /** `beside`: in its own card where there is room for a second column. */
  actionPlace?: 'below' | 'beside';
  /** Shown after the content, or beside it where there is room. Defaults to the frame's activity, which is shown only beside. */
  aside?: ReactNode;
  /** `form`: a single column of fields. `full`: all columns. */
  width?: 'column' | 'form' | 'full';
  /** Hides the footer until the content has loaded, because it would move below a skeleton. */
  isLoading?: boolean;
}

/** Without a rail the screen is centred; with one, all screens begin at its edge. */
const MAX_WIDTHS = { column: 'max-w-column', form: 'max-w-[32rem]', full: '' };
const COLUMNS = '@wide/shell:grid-cols-[minmax(0,1fr)_clamp(18rem,33%,24rem)]';

/** A signed-in screen: header, content, primary action and footer. Sets the document's title. */
export function Screen(props: ScreenProps) {
  return createElement(use(ScreenFrame), props);
}

function WholeScreen(props: ScreenProps) {
  const { children, action, actionPlace = 'below', aside, width = 'column', ...rest } = props;
  const { isLoading = false, ...header } = rest;
  const activity = use(Activity);
  const hasActionBeside = action !== undefined && actionPlace === 'beside';
  const second = aside ?? (width === 'full' || hasActionBeside ? undefined : activity);
  const hasColumns = hasActionBeside || second !== undefined;
  return (
    <>
      <title>{`${header.title} · ${brand.name}`}</title>
      <main id="content" tabIndex={-1} className="safe-inline flex grow flex-col outline-none">
        <div
          className={classNames(
            'mx-auto flex w-full grow flex-col gap-5 px-gutter pt-[max(0.75rem,env(safe-area-inset-top))]',
            '@rail/shell:mx-0 @rail/shell:max-w-none @rail/shell:px-8 @rail/shell:pt-10',
            MAX_WIDTHS[width],
          )}
        >
          <Header {...header} />
          <div
            className={classNames(
              'flex grow flex-col gap-5',
              hasColumns && width !== 'full'
                ? `@wide/shell:grid @wide/shell:grow-0 @wide/shell:gap-x-10 ${COLUMNS}`
                : width !== 'full' && '@rail/shell:max-w-column',
            )}
          >
            <div
              className={classNames(
                'flex min-w-0 grow flex-col gap-5',
                width === 'form' && '@rail/shell:max-w-[36rem]',
              )}
            >
              {children}
              {action !== undefined && !hasActionBeside && (
                <div className="@rail/shell:mt-2 mt-auto pt-4">{action}</div>
              )}
            </div>
            {second !== undefined && <div className="flex min-w-0 flex-col gap-5">{second}</div>}
            {hasActionBeside && <div className={besideClass}>{action}</div>}
          </div>
        </div>
        {!isLoading && <PoweredBy className="@rail/shell:justify-start @rail/shell:px-8" />}
      </main>
    </>
  );
}

const besideClass = classNames(
  'pt-4 @rail/shell:max-w-column @wide/shell:sticky @wide/shell:top-10 @wide/shell:self-start @wide/shell:p-5',
  '@wide/shell:rounded-medium @wide/shell:bg-surface @wide/shell:shadow-card @wide/shell:inset-ring @wide/shell:inset-ring-line',
);
