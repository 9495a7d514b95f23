import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';

const POLL_MS = 60_000;

/** The number of requests waiting for the signed-in person, shown in the menu. */
export function ApprovalCount() {
  const { item } = useAdminItem(
    'approvals',
    { query: { view: 'decide', limit: 1 } },
    { pollMs: () => POLL_MS },
  );
  const { value = 0, isAtLeast = false } = item?.count ?? {};
  if (value === 0) return null;
  return (
    <span>
      <Badge tone="info">{isAtLeast ? `${value}+` : String(value)}</Badge>
      <span className="sr-only"> {m.approvals_waiting()}</span>
    </span>
  );
}
