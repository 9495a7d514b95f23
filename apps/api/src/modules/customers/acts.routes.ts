/** The acts of staff for a customer that move no value. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../platform/clock.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import {
  requireOthersAccount,
  type SignedInStaff,
} from '../../platform/console/signed-in-staff.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { resendReceipt } from '../cards/index.ts';
import {
  enqueueResetMail,
  enqueueVerificationMail,
  lockUsers,
  selectFoundUser,
  type FoundUser,
  type Sessions,
} from '../identity/index.ts';
import { insertNote } from './notes.sql.ts';

export interface ActDeps extends ConsoleDeps {
  readonly sessions: Pick<Sessions, 'revokeAll'>;
}

const DONE = { success: true } as const;

/** Locks the customer. Throws `not_found` for an unknown or closed account, and `own_account`. */
async function requireCustomer(tx: Tx, staff: SignedInStaff, uuid: string): Promise<FoundUser> {
  const known = await selectFoundUser(tx, uuid);
  if (known === undefined) throw new AppError('not_found');
  await lockUsers(tx, [known.id]);
  const user = await selectFoundUser(tx, uuid);
  if (user === undefined || user.closedAt !== null) throw new AppError('not_found');
  requireOthersAccount(staff, user);
  return user;
}

export function registerCustomerActs(app: FastifyInstance, deps: ActDeps): void {
  const { clock, sessions } = deps;

  consoleEndpoint(app, deps, consoleApi.addNote, async ({ tx, params, body, staff, record }) => {
    const { id: userId } = await requireCustomer(tx, staff, params.uuid);
    const at = dateOf(clock);
    const note = { userId, staffId: staff.staffId, text: body.text, at };
    const { id } = await insertNote(tx, note);
    // Without the text, because the audit is kept for ever and notes are erased with the customer.
    await record({ subjectId: params.uuid, after: { note: id } });
    return { id: id.toString(), at: at.toISOString() };
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.endCustomerSessions,
    async ({ tx, params, body, staff, record }) => {
      const { id: userId } = await requireCustomer(tx, staff, params.uuid);
      await sessions.revokeAll(tx, userId);
      await record({ subjectId: params.uuid, after: { reason: body.reason } });
      return DONE;
    },
  );

  consoleEndpoint(
    app,
    deps,
    consoleApi.sendCustomerMail,
    async ({ tx, params, body, staff, record }) => {
      const { id: userId } = await requireCustomer(tx, staff, params.uuid);
      if (body.template === 'reset') await enqueueResetMail(tx, userId);
      else if (!(await resendReceipt(tx, { orderId: body.order_id, userId }))) {
        throw new AppError('not_found', { detail: 'This customer has no such credited order.' });
      }
      await record({ subjectId: params.uuid, after: body });
      return DONE;
    },
  );

  consoleEndpoint(app, deps, consoleApi.sendVerificationMail, async ({ tx, body, record }) => {
    const signUpId = await enqueueVerificationMail(tx, body.email);
    if (signUpId === undefined) throw new AppError('not_found');
    await record({ subjectId: signUpId.toString() });
    return DONE;
  });
}
