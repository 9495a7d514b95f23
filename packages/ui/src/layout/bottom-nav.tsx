import type { ReactNode } from 'react';
import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { Link } from '../primitives/link.tsx';
import { BrandMark } from './brand-mark.tsx';

export interface NavItem {
  to: string;
  label: string;
  icon: ReactNode;
  isCurrent: boolean;
  /** No badge is shown for 0. */
  badgeCount?: number;
  /** The accessible name with the count, which replaces the label while there is a badge. */
  badgeLabel?: string;
}

/**
 * At the bottom of a phone, a rail on the left from 900 px. It comes before the screen in the page, so the keyboard reaches
 * it first. Items keep the order given, and wrap where large text leaves no room for their labels side by side. Text so
 * large that their lines would hide the screen puts them after it.
 */
export function BottomNav({ items }: { items: readonly NavItem[] }) {
  return (
    <nav
      aria-label={m.shell_nav_label()}
      className={classNames(
        'bg-surface border-line safe-inline sticky bottom-0 z-30 order-last border-t pb-[env(safe-area-inset-bottom)] @max-[16rem]/shell:static',
        '@rail/shell:order-none @rail/shell:top-0 @rail/shell:h-dvh @rail/shell:w-56 @rail/shell:shrink-0 @rail/shell:overflow-y-auto',
        '@rail/shell:border-t-0 @rail/shell:border-r @rail/shell:bg-transparent @rail/shell:px-4 @rail/shell:py-6',
      )}
    >
      <div className="@rail/shell:flex hidden items-center gap-2.5 px-3 pb-8">
        <BrandMark className="text-accent size-8" />
        <span className="font-display text-title font-bold tracking-tight">{brand.name}</span>
      </div>
      <ul className="@rail/shell:flex-col @rail/shell:gap-1 @rail/shell:max-w-none max-w-column mx-auto flex flex-wrap justify-center">
        {items.map((item) => (
          <li key={item.to} className="@rail/shell:flex-none min-w-0 flex-[1_1_4rem]">
            <NavLink item={item} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NavLink({ item }: { item: NavItem }) {
  const { to, label, icon, isCurrent, badgeCount = 0, badgeLabel } = item;
  const hasBadgeLabel = badgeCount > 0 && badgeLabel !== undefined;
  return (
    <Link
      to={to}
      aria-current={isCurrent ? 'page' : undefined}
      className={classNames(
        'target text-caption rounded-small flex flex-col items-center justify-center gap-0.5 py-2 font-semibold transition-colors duration-150 ease-out',
        '@rail/shell:flex-row @rail/shell:justify-start @rail/shell:gap-3.5 @rail/shell:px-3 @rail/shell:py-2.5 @rail/shell:text-body hover:text-ink',
        isCurrent ? 'text-accent-text @rail/shell:bg-sunken' : 'text-ink-quiet',
      )}
    >
      <span
        className="relative flex size-6 items-center justify-center [&_svg]:size-5.5"
        aria-hidden="true"
      >
        {icon}
        {badgeCount > 0 && (
          <span
            key={badgeCount}
            className="animate-pop rounded-pill bg-primary text-primary-ink tabular absolute -top-1.5 left-3.5 min-w-4.5 px-1 text-center text-[0.6875rem] leading-4.5 font-bold"
          >
            {badgeCount > 99 ? '99+' : badgeCount}
          </span>
        )}
      </span>
      <span aria-hidden={hasBadgeLabel || undefined}>{label}</span>
      {hasBadgeLabel && <span className="sr-only">{badgeLabel}</span>}
    </Link>
  );
}
