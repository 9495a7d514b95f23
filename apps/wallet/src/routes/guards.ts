/**
 * Decides who may open which address (spec 2). A guard is called once per navigation and not when the session changes, so 'Signed In!' is
 * shown for its second.
 */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { rememberRoute } from '../state/intended-route.ts';
import { hadPreviousSession, isSignedIn, session } from '../state/session.ts';
import { paths } from './paths.ts';

export interface Asked {
  readonly pathname: string;
  /** Includes the question mark; empty without a query. */
  readonly search: string;
}

/** The address to redirect to, and an action to run before. */
export interface Leave {
  readonly to: string;
  readonly before?: () => void;
}

/** Guards are pure, so they may be called while rendering. */
export type Guard = (asked: Asked) => Leave | undefined;

/** The start of a signed-out user: sign-in after an earlier session, otherwise the welcome screen. */
const visitorStart = (): string => (hadPreviousSession() ? paths.signIn : paths.getStarted);

/** Guard of `/` and `/auth` themselves. */
export const toStart: Guard = () => ({ to: isSignedIn() ? paths.home : visitorStart() });

/** Guard of everything below `/auth`. */
export const visitorsOnly: Guard = () => (isSignedIn() ? { to: paths.home } : undefined);

/** Guard of everything below `/app`. Remembers the address that a signed-out user requested. */
export const membersOnly: Guard = ({ pathname, search }) => {
  const current = session.get();
  if (current.status === 'signed_in') return undefined;
  const to = visitorStart();
  // A user who signs out does not want to return to this screen.
  if (current.status === 'signed_out' && current.end === 'signed_out') return { to };
  const ownerUuid = current.status === 'signed_out' ? current.lastUuid : undefined;
  return { to, before: () => rememberRoute(pathname + search, ownerUuid) };
};

const hasCode = ({ search }: Asked): boolean =>
  (new URLSearchParams(search).get('code') ?? '').trim() !== '';

/** Spec 4: verification without a code goes to sign-in. */
export const verificationGuard: Guard = (asked) =>
  visitorsOnly(asked) ?? (hasCode(asked) ? undefined : { to: paths.signIn });

/** Spec 5: a reset without a code shows a message and goes to `/auth`. */
export const resetGuard: Guard = (asked) => {
  const elsewhere = visitorsOnly(asked);
  if (elsewhere !== undefined || hasCode(asked)) return elsewhere;
  const before = () => toasts.show('danger', m.errors_reset_no_code(), 4000);
  return { to: paths.auth, before };
};

/** Spec 5: a redemption without a code shows a message and goes to `/app`. */
export const redemptionGuard: Guard = (asked) => {
  const elsewhere = membersOnly(asked);
  if (elsewhere !== undefined || hasCode(asked)) return elsewhere;
  const before = () => toasts.show('danger', m.errors_redeem_no_code(), 4000);
  return { to: paths.home, before };
};
