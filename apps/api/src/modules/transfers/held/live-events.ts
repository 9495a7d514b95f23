/** Tells the open wallets of both sides that a send waits, has arrived or went back. */
import type { LiveEventSource } from '../../../capability.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { notifyOf, selectHeldById, type HeldSendRow } from './held-sends.sql.ts';

/** What the wire calls each state. */
export const WIRE_STATES = {
  held: 'arriving',
  posted: 'sent',
  taken_back: 'taken_back',
  returned: 'returned',
} as const satisfies Record<HeldSendRow['state'], string>;

export const heldEvents: LiveEventSource = {
  channel: 'send_held',
  async read(db, id) {
    const { state } = await selectHeldById(db, id);
    return { type: 'hold', id, state: WIRE_STATES[state] };
  },
};

const payloadsOf = (row: Pick<HeldSendRow, 'id' | 'sender_id' | 'recipient_id'>): string[] =>
  [row.sender_id, row.recipient_id].map((userId) => `${userId} ${row.id}`);

/** After the commit: a notification inside it would hold up every other commit. */
export function announceHeld(
  { notifications }: { readonly notifications: Pick<Notifications, 'announce'> },
  row: Pick<HeldSendRow, 'id' | 'sender_id' | 'recipient_id'>,
): void {
  for (const payload of payloadsOf(row)) notifications.announce(heldEvents.channel, payload);
}

/** With the commit, for acts of staff, which are few. */
export async function notifyHeld(tx: Tx, row: HeldSendRow): Promise<void> {
  for (const payload of payloadsOf(row)) await notifyOf(tx, heldEvents.channel, payload);
}
