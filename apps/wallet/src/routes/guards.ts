/**
 * Who may see what (spec 2). Guards are loaders of the leaves of the route table: they act on navigation, not on a change
 * of session, so that 'Signed In!' shows for its second.
 */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/toast-store';
import { redirect, type LoaderFunctionArgs } from 'react-router';
import { rememberRoute } from '../state/intended-route.ts';
import { hadPreviousSession, isSignedIn, session } from '../state/session.ts';
import { paths } from './paths.ts';

type Guard = (args: Pick<LoaderFunctionArgs, 'request'>) => Response | null;

/** Where a signed-out user begins: at sign-in after an earlier session, otherwise at the welcome. */
const visitorStart = (): string => (hadPreviousSession() ? paths.signIn : paths.getStarted);

/** For `/` and `/auth` themselves. */
export const toStart: Guard = () => redirect(isSignedIn() ? paths.home : visitorStart());

/** For everything below `/auth`. */
export const visitorsOnly: Guard = () => (isSignedIn() ? redirect(paths.home) : null);

/** For everything below `/app`. Remembers where a signed-out user wanted to go. */
export const membersOnly: Guard = ({ request }) => {
  const current = session.get();
  if (current.status === 'signed_in') return null;
  const { pathname, search } = new URL(request.url);
  // Who signs out wants to leave, not to come back to this screen.
  if (current.status === 'starting' || current.end !== 'signed_out') {
    rememberRoute(
      pathname + search,
      current.status === 'signed_out' ? current.lastUuid : undefined,
    );
  }
  return redirect(visitorStart());
};

const hasCode = (request: Request): boolean =>
  (new URL(request.url).searchParams.get('code') ?? '') !== '';

/** Spec 4: verification without a code goes to sign-in. */
export const verificationGuard: Guard = (args) =>
  visitorsOnly(args) ?? (hasCode(args.request) ? null : redirect(paths.signIn));

/** Spec 5: a reset without a code says so and goes to `/auth`. */
export const resetGuard: Guard = (args) => {
  const elsewhere = visitorsOnly(args);
  if (elsewhere !== null || hasCode(args.request)) return elsewhere;
  toasts.show('danger', m.errors_reset_no_code(), 4000);
  return redirect(paths.auth);
};
