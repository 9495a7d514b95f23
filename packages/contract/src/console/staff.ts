/** Data about a member of staff that several calls share: organisation, names, sessions and passwords. */
import { z } from 'zod';
import {
  normalizePassword,
  PASSWORD_LENGTH_MAX,
  STAFF_PASSWORD_LENGTH_MIN,
} from '@athos/domain/password';
import { timeText } from '../values.ts';

export const ORGANISATIONS = ['provider', 'brand'] as const;
export type Organisation = (typeof ORGANISATIONS)[number];

export const anyPassword = z
  .string()
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .transform(normalizePassword);
export const newPassword = anyPassword.pipe(
  z
    .string()
    .min(STAFF_PASSWORD_LENGTH_MIN, `must have at least ${STAFF_PASSWORD_LENGTH_MIN} characters`),
);

export const personName = z.string().trim().min(1, 'must not be empty').max(100);
export const factorName = z.string().trim().min(1, 'must not be empty').max(60);

export const roleName = z.object({ id: z.string(), title: z.string() });

export const staffSession = z
  .object({
    id: z.string(),
    /** Browser and system, such as "Firefox on Linux". */
    browser: z.string(),
    /** Network address of the last call. */
    place: z.string(),
    created_at: timeText,
    seen_at: timeText,
    is_current: z.boolean(),
  })
  .meta({ id: 'StaffSession' });
