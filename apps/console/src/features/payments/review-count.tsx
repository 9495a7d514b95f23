import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';

const POLL_MS = 60_000;

/** The number of payments that wait for a person, shown in the menu. */
export function ReviewCount() {
  const { item } = useAdminItem(
    'consolePayments',
    { query: { state: 'review', limit: 1 } },
    { pollMs: () => POLL_MS },
  );
  const { value = 0, isAtLeast = false } = item?.count ?? {};
  if (value === 0) return null;
  return (
    <span>
      <Badge tone="danger">{isAtLeast ? `${value}+` : String(value)}</Badge>
      <span className="sr-only"> {m.payments_waiting()}</span>
    </span>
  );
}
