import type { ReactNode } from 'react';
import { BackLink } from './back-link.tsx';
import { Wordmark } from './brand-mark.tsx';
import { classNames } from '../primitives/class-names.ts';

export interface HeaderProps {
  title: string;
  /** What stands in the heading where the title has more than its plain words, as emphasis. */
  heading?: ReactNode;
  /** The title is said by something else on the screen; it stays for screen readers. */
  isTitleHidden?: boolean | undefined;
  /** Where the back arrow goes; none without it. */
  backTo?: string | undefined;
  /** A `SearchBox`. */
  search?: ReactNode;
  /** At the right end: an icon button or two. */
  actions?: ReactNode;
}

/** Spec 2: the shared header, with an optional back arrow and an optional search box. Carries the screen's only h1. */
export function Header({ title, heading, isTitleHidden, backTo, search, actions }: HeaderProps) {
  // Nothing to see in the bar: on a phone the brand stands there, on the rail it already does.
  const isBrandShown = isTitleHidden === true && backTo === undefined;
  return (
    <header className="flex flex-col gap-3">
      <div
        className={classNames(
          'flex min-h-11 items-center gap-1',
          isBrandShown && actions === undefined && 'rail:hidden',
        )}
      >
        {isBrandShown && <Wordmark className="rail:hidden" />}
        {backTo !== undefined && <BackLink to={backTo} />}
        {!isTitleHidden && <h1 className={titleClass}>{heading ?? title}</h1>}
        {actions !== undefined && <div className="ml-auto flex items-center gap-1">{actions}</div>}
      </div>
      {isTitleHidden && title !== '' && <h1 className="sr-only">{title}</h1>}
      {search}
    </header>
  );
}

const titleClass =
  'font-display text-title rail:text-headline min-w-0 grow font-bold tracking-tight text-balance';
