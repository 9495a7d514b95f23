/** Values that many calls carry, each in a single format. */
import { z } from 'zod';
import { TOKEN_ASSETS } from '@athos/domain/money';
import { UUID_PATTERN } from '@athos/domain/uuid';

/** A token amount: a decimal string of whole micro-units (D-010). */
export const unitsText = z.string().regex(/^-?\d{1,19}$/);
/** A positive token amount in a request: whole micro-units, at most 16 digits, no sign, no leading zero. */
export const positiveUnitsText = z
  .string()
  .regex(
    /^[1-9]\d{0,15}$/,
    'must be a positive whole number of micro-units, as a string of digits',
  );
export const assetName = z.enum(TOKEN_ASSETS);
export const balances = z.object({ ATH: unitsText, ATH2: unitsText, ATH3: unitsText });
/** Whole US cents. */
export const centsNumber = z.int();

export const uuidText = z
  .string()
  .regex(UUID_PATTERN, 'must be a UUID')
  .transform((text) => text.toLowerCase());
/** ISO 8601 UTC. */
export const timeText = z.iso.datetime();

const INT32_MAX = 2_147_483_647;
/** Ids of offers, categories, tiers and venues: 32-bit columns. */
export const smallId = z.int().positive().max(INT32_MAX);
const idParam = (max: number) => z.object({ id: z.coerce.number().int().positive().max(max) });
export const smallIdParam = idParam(INT32_MAX);
/** History entries are numbered by 64-bit columns. */
export const historyIdParam = idParam(Number.MAX_SAFE_INTEGER);
export const uuidParam = z.object({ id: uuidText });

/** Says only that the call was accepted, so it never reveals whether an address has an account. */
export const acceptedAnswer = z.object({ success: z.literal(true) }).meta({ id: 'Accepted' });
