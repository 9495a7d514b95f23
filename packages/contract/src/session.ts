/** Signing in, refreshing and signing out. The same calls serve holders and staff. */
import { z } from 'zod';
import {
  normalizeEmail,
  normalizePassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '@athos/domain/password';
import type { Calls } from './call.ts';
import { acceptedAnswer } from './values.ts';

/** Spec 6: the tenant is fixed at 1 and the mode is production. */
export const tenant = { tenant_id: z.literal(1), mode: z.literal('production') };

export const emailText = z
  .string()
  .max(254, 'must have at most 254 characters')
  .transform(normalizeEmail)
  .pipe(z.email('must be an e-mail address'));

export const passwordText = z
  .string()
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .transform(normalizePassword)
  .pipe(
    z.string().min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`),
  );

export const sessionAnswer = z
  .object({ token: z.string(), uuid: z.string() })
  .meta({ id: 'Session' });

export const sessionCalls = {
  login: {
    method: 'POST',
    path: '/account/login',
    auth: 'anyone',
    device: true,
    summary: 'Sign in',
    body: z
      .object({ email: emailText, password: passwordText, ...tenant })
      .meta({ id: 'LoginRequest' }),
    answer: sessionAnswer,
  },
  refreshJwt: {
    method: 'GET',
    path: '/account/refresh_jwt',
    auth: 'anyone',
    summary: 'Exchange a valid token for a fresh one',
    query: z.object({ token: z.string().max(4096).optional() }),
    answer: sessionAnswer,
  },
  logout: {
    method: 'POST',
    path: '/account/logout',
    auth: 'user',
    summary: 'End this session',
    /** `away`: too long without input. The tickets on the user's phone stay valid. */
    query: z.object({ reason: z.literal('away').optional().catch(undefined) }),
    answer: acceptedAnswer,
  },
} as const satisfies Calls;
