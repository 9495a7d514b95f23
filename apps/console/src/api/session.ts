/** Signing in and out. */
import { ApiError } from '@athos/client/errors';
import { callTwice } from '@athos/client/outcome';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { session, type Staff } from '../state/session.ts';
import { timeZone } from '../state/time-zone.ts';
import { ask, type AdminAnswer, type AdminInput } from './call.ts';
import { makePasskey, usePasskey } from './passkeys.ts';

const staffOf = (me: AdminAnswer<'me'>): Staff => ({
  id: me.id,
  name: me.name,
  email: me.email,
  organisation: me.organisation,
  roles: me.roles.map(({ title }) => title),
  grants: me.grants,
});

/** Asks the server who is signed in. Never rejects. */
export async function resumeSession(): Promise<void> {
  try {
    const me = await ask('me', {});
    const staff = staffOf(me);
    timeZone.set(me.timeZone);
    const limits = {
      endsAtMs: Date.parse(me.session.expiresAt),
      idleMs: me.session.idleSeconds * 1000,
    };
    session.set({ status: me.isEnrolled ? 'signed_in' : 'enrolling', staff, limits });
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 401;
    session.set({ status: 'signed_out', end: isRefused ? 'never_begun' : 'unreachable' });
  }
}

/** Only the server can end the session, because no script can remove its cookie. Never rejects. */
export async function signOut(): Promise<void> {
  try {
    await callTwice(() => ask('signOut', {}));
  } catch (error) {
    const isEnded = error instanceof ApiError && error.status === 401;
    if (!isEnded) return toasts.show('danger', m.console_sign_out_failed(), 5000);
  }
  session.set({ status: 'signed_out', end: 'left' });
}

/** The reason why a sign-in failed. */
export type SignInFailure =
  | { readonly kind: 'incorrect' | 'no_network' | 'failed' | 'no_passkey' }
  | { readonly kind: 'too_many'; readonly seconds: number }
  | { readonly kind: 'refused'; readonly title: string };

const RETRY_AFTER_DEFAULT_SECONDS = 30;

function failureOf(error: unknown): SignInFailure {
  // The browser's own dialog was closed, or there is no passkey for this address.
  if (error instanceof Error && error.name === 'NotAllowedError') return { kind: 'no_passkey' };
  if (!(error instanceof ApiError)) return { kind: 'no_network' };
  const { status, problem } = error;
  if (status === 401) return { kind: 'incorrect' };
  if (status === 429) {
    const seconds = problem?.retry_after_seconds ?? RETRY_AFTER_DEFAULT_SECONDS;
    return { kind: 'too_many', seconds };
  }
  return problem === undefined || status >= 500
    ? { kind: 'failed' }
    : { kind: 'refused', title: problem.title };
}

/** Signs in by `way`, then reads who is signed in. Returns the reason for a failure. */
async function enter(way: () => Promise<unknown>): Promise<SignInFailure | undefined> {
  try {
    await way();
  } catch (error) {
    return failureOf(error);
  }
  await resumeSession();
  return undefined;
}

export const signIn = (given: AdminInput<'signIn'>['body']) =>
  enter(() => ask('signIn', { body: given }));

export const signInWithPasskey = () =>
  enter(async () => {
    const options = await ask('passkeySignInOptions', {});
    return ask('passkeySignIn', { body: { passkey: await usePasskey(options) } });
  });

export interface InviteAccepted {
  readonly code: string;
  readonly name: string;
  /** Without a password, a passkey is created. */
  readonly password?: string;
}

export const acceptInvite = ({ code, name, password }: InviteAccepted) =>
  enter(async () => {
    if (password !== undefined) return ask('acceptInvite', { body: { code, name, password } });
    const options = await ask('invitePasskeyOptions', { body: { code, name } });
    return ask('acceptInvite', { body: { code, name, passkey: await makePasskey(options) } });
  });
