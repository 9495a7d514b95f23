import { z } from 'zod';
import { TOKEN_ASSETS } from '@athos/domain/money';
import { UUID_PATTERN } from '@athos/domain/uuid';
import { ERROR_CODES } from '../errors.ts';

/** A token amount on the wire: a decimal string of whole micro-units (decisions "Units and numbers"). */
export const unitsText = z.string().regex(/^-?\d{1,19}$/);
/** A positive token amount of a request: whole micro-units, at most 16 digits, no sign, no leading zero. */
export const positiveUnitsText = z
  .string()
  .regex(
    /^[1-9]\d{0,15}$/,
    'must be a positive whole number of micro-units, as a string of digits',
  );
export const assetName = z.enum(TOKEN_ASSETS);
export const uuidText = z
  .string()
  .regex(UUID_PATTERN, 'must be a UUID')
  .transform((text) => text.toLowerCase());
/** ISO 8601 UTC. */
export const timeText = z.iso.datetime();
/** Whole US cents. */
export const centsNumber = z.int();
const idParam = (max: number) => z.object({ id: z.coerce.number().int().positive().max(max) });
/** Ids of the catalogue: 32-bit integers. */
export const catalogIdParam = idParam(2_147_483_647);
/** Numbers of the journal. */
export const historyIdParam = idParam(Number.MAX_SAFE_INTEGER);
export const uuidParam = z.object({ id: uuidText });

export const balances = z.object({ ATH: unitsText, ATH2: unitsText, ATH3: unitsText });

/** RFC 9457 problem details, with the fields of ours: a stable code, the request's id and validation errors. */
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
    /** With the refusals of a purchase: the offer that it is about. */
    offer_id: z.int().optional(),
    /** With 429 and 503: when to ask again. Also sent as Retry-After. */
    retry_after_seconds: z.int().optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problem>;
