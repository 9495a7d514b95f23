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

/** Fixed at the bottom of a phone, a rail on the left from 900 px. Items keep the order given. */
export function BottomNav({ items }: { items: readonly NavItem[] }) {
  return (
    <nav
      aria-label={m.shell_nav_label()}
      className={classNames(
        'bg-surface border-line safe-inline fixed inset-x-0 bottom-0 z-30 border-t pb-[env(safe-area-inset-bottom)]',
        'rail:inset-y-0 rail:right-auto rail:w-60 rail:border-t-0 rail:border-r rail:px-4 rail:py-6',
      )}
    >
      <div className="rail:flex hidden items-center gap-2.5 px-3 pb-8">
        <BrandMark className="text-accent size-8" />
        <span className="font-display text-title font-bold tracking-tight">{brand.name}</span>
      </div>
      <ul className="rail:flex-col rail:gap-1 rail:max-w-none rail:justify-start max-w-column mx-auto flex justify-around">
        {items.map((item) => (
          <li key={item.to} className="rail:flex-none min-w-0 flex-1">
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
        'rail:flex-row rail:justify-start rail:gap-3.5 rail:px-3 rail:py-2.5 rail:text-body hover:text-ink',
        isCurrent ? 'text-accent-text rail:bg-sunken' : 'text-ink-quiet',
      )}
    >
      <span className="relative flex size-6 items-center justify-center" aria-hidden="true">
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
      <span className="max-w-full truncate" aria-hidden={hasBadgeLabel || undefined}>
        {label}
      </span>
      {hasBadgeLabel && <span className="sr-only">{badgeLabel}</span>}
    </Link>
  );
}
