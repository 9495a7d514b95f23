import { z } from 'zod';
import { balances, timeText, unitsText } from './common.ts';

/**
 * What the live stream (`account/events`, text/event-stream) tells a signed-in user. Each event's `data` is one of
 * these as JSON. A stream says that something changed and carries no more than the screen needs at once.
 */
export const liveEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('balance'), balance: unitsText, balances }),
    z.object({ type: z.literal('payment'), id: z.string() }),
    z.object({
      type: z.literal('redeemed'),
      items: z.array(
        z.object({ id: z.int(), purchase_id: z.int(), redeemed_at: timeText, venue: z.string() }),
      ),
    }),
    z.object({ type: z.literal('session_ended') }),
  ])
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof liveEvent>;
