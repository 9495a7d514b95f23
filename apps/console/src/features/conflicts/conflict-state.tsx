import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';

export type Conflict = AdminAnswer<'conflict'>;

/** Whether somebody has decided on a conflict, and how. */
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
