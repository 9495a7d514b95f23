import { z } from 'zod';
import { ERROR_CODES } from '../errors.ts';

/** RFC 9457 problem details with our own members: a stable code, the request's id and the validation errors. */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(ERROR_CODES),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
    /** With `rate_expired`: the rate in force now. */
    exchange_rate: z.number().optional(),
    /** With a refused purchase: the offer it was refused for. */
    offer_id: z.int().optional(),
    /** With 429 and 503: when to ask again. Also sent as Retry-After. */
    retry_after_seconds: z.int().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
