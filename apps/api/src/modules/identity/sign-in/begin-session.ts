import type { SignInMethod } from '@athos/contract/wallet/security';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { forgiveAttempt, type Attempt } from '../../../platform/limits/guesses.ts';
import type { AuthDeps } from '../identity-deps.ts';
import type { Device } from './device.ts';
import { rememberDevice } from './known-devices.sql.ts';
import { takeDeviceMail } from './sign-in-limits.ts';

interface ProvedSignIn {
  readonly user: { readonly userId: bigint; readonly userUuid: string };
  readonly device: Device;
  readonly attempt: Attempt;
  readonly method: SignInMethod;
}

/**
 * Opens a session for a user who has proved their identity, and returns its token. Tells the owner about a new device. The caller has
 * locked the user.
 */
export async function beginSession(
  tx: Tx,
  deps: AuthDeps,
  { user, device, attempt, method }: ProvedSignIn,
): Promise<string> {
  const now = dateOf(deps.clock);
  const [token, isNew] = await pipelined(tx, (pipe) =>
    Promise.all([
      deps.sessions.open(pipe, user, { label: device.name, method }),
      rememberDevice(pipe, user.userId, device, now),
      forgiveAttempt(pipe, attempt),
    ]),
  );
  if (isNew && (await takeDeviceMail(tx, deps, user.userId))) {
    await enqueueJob(tx, 'auth_mail_new_device', {
      userId: String(user.userId),
      device: device.label,
      at: now.toISOString(),
    });
  }
  return token;
}
