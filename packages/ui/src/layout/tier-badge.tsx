import ChevronRight from 'lucide-react/icons/chevron-right';
import { m } from '@athos/messages/messages';
import { Link } from '../primitives/link.tsx';

export interface TierBadgeProps {
  /** The current tier; `undefined` below the lowest. */
  tier: { readonly title: string; readonly color: string } | undefined;
  /** The target of the badge, which makes it a link. */
  to?: string;
}

/** Spec 2: '{title} Tier', or 'No Tier Reached' (D-156). Its colours suit the balance card. */
export function TierBadge({ tier, to }: TierBadgeProps) {
  const look =
    'rounded-pill bg-card-ink text-card-from text-caption inline-flex items-center gap-2 py-1.5 pr-3 pl-2.5 font-semibold';
  const body = (
    <>
      <span
        aria-hidden="true"
        className="rounded-pill inset-ring-card-from/50 size-3 shrink-0 inset-ring"
        style={{ backgroundColor: tier?.color }}
      />
      {tier === undefined ? m.common_tier_none() : m.common_tier_badge({ title: tier.title })}
    </>
  );
  if (to === undefined) return <span className={look}>{body}</span>;
  return (
    <Link
      to={to}
      className={`target inline-flex items-center focus-visible:outline-card-ink rounded-pill`}
    >
      <span className={look}>
        {body}
        <ChevronRight size={14} aria-hidden className="-mr-1" />
      </span>
    </Link>
  );
}
