import { m } from '@athos/messages/messages';
import { useAdminItem } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';

const POLL_MS = 60_000;

/** The number of disputes that wait for evidence, shown in the menu. */
export function DisputeCount() {
  const { item } = useAdminItem(
    'consoleDisputes',
    { query: { view: 'answer', limit: 1 } },
    { pollMs: () => POLL_MS },
  );
  const { value = 0, isAtLeast = false } = item?.count ?? {};
  if (value === 0) return null;
  return (
    <span>
      <Badge tone="danger">{isAtLeast ? `${value}+` : String(value)}</Badge>
      <span className="sr-only"> {m.disputes_waiting()}</span>
    </span>
  );
}
