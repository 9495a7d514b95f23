import type { ReactNode } from 'react';
import { BackLink } from './back-link.tsx';
import { Wordmark } from './brand-mark.tsx';
import { classNames } from '../primitives/class-names.ts';

export interface HeaderProps {
  title: string;
  /** Replaces the title in the heading if it has markup, such as emphasis. */
  heading?: ReactNode;
  /** For screen readers only, because something else on the screen shows the title. */
  isTitleHidden?: boolean | undefined;
  /** Target of the back arrow. Without it there is no arrow. */
  backTo?: string | undefined;
  /** A `SearchBox`. */
  search?: ReactNode;
  /** Shown at the right end: one or two icon buttons. */
  actions?: ReactNode;
}

interface Props extends HeaderProps {
  /** 2 for a detail beside a list, which has the screen's h1. */
  level?: 1 | 2;
}

/** Spec 2: the shared header, with an optional back arrow and an optional search box. Carries the screen's only h1. */
export function Header(props: Props) {
  const { title, heading, isTitleHidden, backTo, search, actions, level = 1 } = props;
  const Heading = `h${level}` as const;
  // An otherwise empty bar shows the brand on a phone; on larger screens the rail shows it.
  const isBrandShown = isTitleHidden === true && backTo === undefined;
  return (
    <header className="flex flex-col gap-3">
      <div
        className={classNames(
          'flex min-h-11 items-center gap-1',
          isBrandShown && actions === undefined && '@rail/shell:hidden',
        )}
      >
        {isBrandShown && <Wordmark className="@rail/shell:hidden" />}
        {backTo !== undefined && <BackLink to={backTo} />}
        {!isTitleHidden && (
          <Heading className={classNames(titleClass, level === 1 && '@rail/shell:text-headline')}>
            {heading ?? title}
          </Heading>
        )}
        {actions !== undefined && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </div>
      {isTitleHidden && title !== '' && <Heading className="sr-only">{title}</Heading>}
      {search}
    </header>
  );
}

const titleClass = 'font-display text-title min-w-0 font-bold tracking-tight text-balance';
