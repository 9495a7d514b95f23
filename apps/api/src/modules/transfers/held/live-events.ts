/** Tells the open wallets of both sides that a send is waiting, has arrived or was returned. */
import type { LiveEventSource } from '../../../capability.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { notifyOf, selectHeldById, type HeldSendRow } from './held-sends.sql.ts';

/** The names of the states on the wire. */
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

/** Called after the commit: a notification in the transaction would hold up every other commit. */
export function announceHeld(
  { notifications }: { readonly notifications: Pick<Notifications, 'announce'> },
  row: Pick<HeldSendRow, 'id' | 'sender_id' | 'recipient_id'>,
): void {
  for (const payload of payloadsOf(row)) notifications.announce(heldEvents.channel, payload);
}

/** Notifies with the commit. Used only for acts of staff, which are few. */
export async function notifyHeld(tx: Tx, row: HeldSendRow): Promise<void> {
  for (const payload of payloadsOf(row)) await notifyOf(tx, heldEvents.channel, payload);
}
