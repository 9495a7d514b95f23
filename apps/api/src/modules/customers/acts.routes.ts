/** The acts of staff for a customer that move no value. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { resendReceipt } from '../cards/index.ts';
import { enqueueResetMail, enqueueVerificationMail } from '../identity/index.ts';
import { addNote, endSessions, requireCustomer, type CustomerActDeps } from './acts.ts';

export type ActDeps = ConsoleDeps & CustomerActDeps;

const DONE = { success: true } as const;

export function registerCustomerActs(app: FastifyInstance, deps: ActDeps): void {
  consoleEndpoint(app, deps, consoleApi.addNote, ({ params, body, ...act }) =>
    addNote(deps, act, { uuid: params.uuid, text: body.text }),
  );

  consoleEndpoint(app, deps, consoleApi.endCustomerSessions, async ({ params, body, ...act }) => {
    await endSessions(deps, act, { uuid: params.uuid, reason: body.reason });
    return DONE;
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.sendCustomerMail,
    async ({ tx, params, body, staff, record }) => {
      const { id: userId } = await requireCustomer({ tx, staff }, params.uuid);
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
