/** The names by which customers are shown to each other and found, and their removal by staff (decision 0067). */
import { z } from 'zod';
import { uuidText } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const TEXT_LENGTH_MAX = 200;
const text = z.string().min(1).max(TEXT_LENGTH_MAX);

export const publicNames = z
  .object({
    display_name: z.string().nullable(),
    /** Whether their senders see the name. */
    shows_name: z.boolean(),
    /** Without the `@`. */
    handle: z.string().nullable(),
    /** Whether others can find them by the handle. */
    is_findable: z.boolean(),
  })
  .meta({ id: 'CustomerPublicNames' });

export const publicNameCalls = {
  removePublicNames: {
    method: 'POST',
    path: '/admin/customers/:uuid/public-names/remove',
    auth: 'console',
    permission: 'customers.hold',
    audit: { action: 'names.remove', subject: 'customer' },
    summary: 'Take a display name or a handle away from a customer; the handle for good',
    params: z.object({ uuid: uuidText }),
    /** The names to remove, as they were shown: a customer who has chosen another one since keeps it. */
    body: z
      .object({
        display_name: text.optional(),
        handle: text.optional(),
        reason: reasonText,
      })
      .refine(
        (body) => body.display_name !== undefined || body.handle !== undefined,
        'must name what is removed',
      )
      .meta({ id: 'RemovePublicNames' }),
    answer: z.object({ success: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
