import { z } from 'zod';
import type { Calls } from '../call.ts';
import { balances, timeText, unitsText } from '../values.ts';
import { SEND_STATES } from './history.ts';

/**
 * An event of the live stream; its `data` is one of these as JSON. An event says what changed and carries only what a
 * screen shows at once. Everything else is fetched.
 */
export const liveEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('balance'), balance: unitsText, balances }),
    z.object({ type: z.literal('payment'), id: z.string() }),
    z.object({
      type: z.literal('redeemed'),
      /** The items in the redemption now: after a reversal fewer, or none. The list of purchases has changed either way. */
      items: z.array(
        z.object({ id: z.int(), purchase_id: z.int(), redeemed_at: timeText, venue: z.string() }),
      ),
    }),
    /** A send to or from the user is pending, has arrived or came back. */
    z.object({ type: z.literal('hold'), id: z.string(), state: z.enum(SEND_STATES) }),
    z.object({ type: z.literal('session_ended') }),
  ])
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof liveEvent>;

export const eventCalls = {
  events: {
    method: 'GET',
    path: '/account/events',
    auth: 'user',
    summary: 'Live updates as server-sent events',
    answer: liveEvent,
    stream: true,
  },
} as const satisfies Calls;
