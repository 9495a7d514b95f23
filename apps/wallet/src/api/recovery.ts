/**
 * Account recovery for a user who has lost authenticator app and recovery codes, and how the owner stops a recovery that somebody else has
 * started.
 */
import { ApiError } from '@athos/client/errors';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { client } from './http.ts';
import { refreshSecondStep } from './second-step.ts';
import { showFailure, type SecondStep } from './session.ts';

/**
 * `mailed`: a link is on its way. `waiting`: a waiting period already runs and ends at `date`. `possible_from`: the password was recently
 * set by a mailed link, so recovery is possible only from `date`. Dates are ISO 8601.
 */
export type RecoveryAsked =
  | { readonly kind: 'mailed' | 'ended' | 'failed' }
  | { readonly kind: 'waiting' | 'possible_from'; readonly date: string };

/** `ended`: the sign-in must start over. */
export async function askForRecovery({ challenge }: SecondStep): Promise<RecoveryAsked> {
  const show = toasts.attempt('recovery');
  try {
    const body = { challenge_id: challenge };
    const { ends_at: endsAt } = await client.call('askForRecovery', { body });
    return endsAt === null ? { kind: 'mailed' } : { kind: 'waiting', date: endsAt };
  } catch (error) {
    const problem = error instanceof ApiError ? error.problem : undefined;
    if (problem?.possible_from !== undefined) {
      return { kind: 'possible_from', date: problem.possible_from };
    }
    const isEnded = problem?.code === 'challenge_ended';
    showFailure(show, isEnded ? m.auth_second_step_ended() : m.auth_recovery_failed(), error);
    return { kind: isEnded ? 'ended' : 'failed' };
  }
}

/** `wrong`: the link was used or has expired. */
export type LinkOutcome<Done> = Done | 'wrong' | 'failed';

const failureOf = (error: unknown): 'wrong' | 'failed' =>
  error instanceof ApiError && (error.status === 422 || error.status === 400) ? 'wrong' : 'failed';

/** `endsAt` is the end of the waiting period, in ISO 8601. Never rejects. */
export async function beginRecovery(
  code: string,
): Promise<LinkOutcome<{ readonly endsAt: string }>> {
  try {
    return { endsAt: (await client.call('beginRecovery', { body: { code } })).ends_at };
  } catch (error) {
    return failureOf(error);
  }
}

/** Never rejects. */
export async function cancelRecovery(code: string): Promise<LinkOutcome<'stopped'>> {
  try {
    await client.call('cancelRecovery', { body: { code } });
    return 'stopped';
  } catch (error) {
    return failureOf(error);
  }
}

export async function stopRecovery(): Promise<void> {
  const show = toasts.attempt('recovery');
  try {
    await client.call('stopRecovery');
    show('success', m.security_recovery_stopped(), 3000);
  } catch (error) {
    showFailure(show, m.security_recovery_stop_failed(), error);
  }
  await refreshSecondStep();
}
