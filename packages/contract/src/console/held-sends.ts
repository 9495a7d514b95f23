/** Sends that have not arrived yet, which their sender can undo and staff can return (decision 0058). */
import { z } from 'zod';
import { assetName, timeText, unitsText, uuidText } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const customerParam = z.object({ uuid: uuidText });

const heldSend = z
  .object({
    id: z.string(),
    to_uuid: z.string(),
    asset: assetName,
    amount_units: unitsText,
    /** The time of arrival. */
    post_at: timeText,
  })
  .meta({ id: 'CustomerHeldSend' });

export const heldSendCalls = {
  customerHeldSends: {
    method: 'GET',
    path: '/admin/customers/:uuid/held-sends',
    auth: 'console',
    permission: 'customers.read',
    summary: 'Sends of a customer that have not arrived yet',
    params: customerParam,
    answer: z.object({
      /** The server's clock, to which `post_at` refers. */
      server_time: timeText,
      items: z.array(heldSend),
    }),
  },
  returnHeldSend: {
    method: 'POST',
    path: '/admin/customers/:uuid/held-sends/:id/return',
    auth: 'console',
    permission: 'customers.hold',
    audit: { action: 'send.return', subject: 'customer' },
    summary: 'Give a send back to its sender before it arrives',
    params: customerParam.extend({ id: uuidText }),
    body: z.object({ reason: reasonText }).meta({ id: 'ReturnHeldSend' }),
    answer: z.object({ success: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
