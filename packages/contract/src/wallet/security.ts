/** How safe a sign-in is: what the owner sees of it and does about it in the settings. */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { acceptedAnswer, timeText, uuidParam } from '../values.ts';

/** How a session was opened. */
export const SIGN_IN_METHODS = ['password', 'link', 'totp', 'recovery_code', 'passkey'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

const ownSession = z.object({
  id: z.string(),
  /** Browser and system in words; `null` for a session that began before they were kept. */
  device: z.string().nullable(),
  method: z.enum(SIGN_IN_METHODS).nullable(),
  begun_at: timeText,
  /** In steps of ten minutes. */
  last_seen_at: timeText,
  is_current: z.boolean(),
});

export const securityCalls = {
  sessions: {
    method: 'GET',
    path: '/account/sessions',
    auth: 'user',
    summary: 'Where the account is signed in, newest first',
    answer: z.object({ sessions: z.array(ownSession) }).meta({ id: 'Sessions' }),
  },
  endSession: {
    method: 'POST',
    path: '/account/sessions/:id/end',
    auth: 'user',
    summary: 'Sign one device out',
    params: uuidParam,
    answer: acceptedAnswer,
  },
  endOtherSessions: {
    method: 'POST',
    path: '/account/sessions/end_others',
    auth: 'user',
    summary: 'Sign every other device out',
    answer: acceptedAnswer,
  },
} as const satisfies Calls;
