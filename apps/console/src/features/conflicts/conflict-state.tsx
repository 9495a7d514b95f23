import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';

export type Conflict = AdminAnswer<'conflict'>;

/** Whether the item was redeemed before, or refunded: before or after it was handed out. */
export function conflictKind({
  refundedAt,
  second,
}: Pick<Conflict, 'refundedAt' | 'second'>): string {
  if (refundedAt === null) return m.conflicts_handovers();
  return Date.parse(second.at) < Date.parse(refundedAt)
    ? m.conflicts_refunded_before()
    : m.conflicts_refunded();
}

/** The decision on a conflict, if there is one. */
export function ConflictState({ state }: Pick<Conflict, 'state'>) {
  switch (state) {
    case 'open':
      return <Badge tone="danger">{m.conflicts_open()}</Badge>;
    case 'written_off':
      return <Badge>{m.conflicts_written_off()}</Badge>;
    case 'explained':
      return <Badge tone="success">{m.conflicts_explained()}</Badge>;
  }
}
