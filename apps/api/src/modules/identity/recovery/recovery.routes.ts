import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import { callerOf } from '../../../platform/limits/caller.ts';
import type { Gate } from '../../../platform/limits/gate.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { askForRecovery, beginRecovery, stopRecovery, stopRecoveryByCode } from './recovery.ts';

/** `linkGate` limits the number of database connections that callers who are not signed in may use. */
export function registerRecoveryRoutes(app: FastifyInstance, deps: AuthDeps, linkGate: Gate): void {
  endpoint(app, deps, api.askForRecovery, async ({ body, request, reply }) => {
    const endsAt = await linkGate(['recovery', ...callerOf(request)], () =>
      askForRecovery(deps, body.challenge_id),
    );
    reply.header('cache-control', 'no-store');
    return { ends_at: endsAt?.toISOString() ?? null };
  });

  endpoint(app, deps, api.beginRecovery, async ({ body, request, reply }) => {
    const endsAt = await linkGate(['recovery', ...callerOf(request)], () =>
      beginRecovery(deps, body.code),
    );
    reply.header('cache-control', 'no-store');
    return { ends_at: endsAt.toISOString() };
  });

  endpoint(app, deps, api.cancelRecovery, async ({ body, request }) => {
    await linkGate(['recovery', ...callerOf(request)], () => stopRecoveryByCode(deps, body.code));
    return { success: true } as const;
  });

  endpoint(app, deps, api.stopRecovery, async ({ user }) => {
    if (!(await stopRecovery(deps, user.userId))) throw new AppError('not_found');
    return { success: true } as const;
  });
}
