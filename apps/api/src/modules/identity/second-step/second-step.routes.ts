import type { FastifyInstance, FastifyRequest } from 'fastify';
import { api } from '@athos/contract/api';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { callerOf, networkCaller } from '../../../platform/limits/caller.ts';
import type { Gate } from '../../../platform/limits/gate.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { selectWaiting } from '../recovery/recoveries.sql.ts';
import { deviceOf } from '../sign-in/device.ts';
import { finishSignIn } from './finish-sign-in.ts';
import type { Owner } from './as-owner.ts';
import { beginTotp, confirmTotp, endTotp, renewRecoveryCodes } from './own-totp.ts';
import { selectConfirmedAt, selectRecoveryCodes } from './second-step.sql.ts';

const NO_STORE = 'no-store';
/** Requests that hash a password may queue (platform/keys/passwords.ts). Below the client's 10 s timeout. */
const HASHING = { answerWithinMs: 9_000 } as const;

/** `linkGate` limits the number of database connections that callers who are not signed in may use. */
export function registerSecondStepRoutes(
  app: FastifyInstance,
  deps: AuthDeps,
  linkGate: Gate,
): void {
  const { config, db, passwords } = deps;

  const originOf = (request: FastifyRequest) => ({
    networkAddress: request.ip,
    device: deviceOf(request, config.hashingKeys),
  });
  const inLine = <Result>(
    request: FastifyRequest,
    { userId }: Owner,
    work: () => Promise<Result>,
  ) => passwords.line(['owner', ...networkCaller(request.ip), `${userId}`], work);

  endpoint(app, deps, api.secondFactor, async ({ body, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const given = { challenge: body.challenge_id, code: body.code };
    const { token, userUuid } = await linkGate(['second step', ...callerOf(request)], () =>
      finishSignIn(deps, given, originOf(request)),
    );
    return { token, uuid: userUuid };
  });

  endpoint(app, deps, api.secondStep, async ({ user: { userId }, reply }) => {
    reply.header('cache-control', NO_STORE);
    const since = await selectConfirmedAt(db, userId);
    const { length } = await selectRecoveryCodes(db, userId);
    const recovery = await selectWaiting(db, userId);
    return {
      totp_since: since?.toISOString() ?? null,
      recovery_codes_left: length,
      recovery_ends_at: recovery?.endsAt.toISOString() ?? null,
    };
  });

  endpoint(
    app,
    deps,
    { ...api.beginAuthenticator, ...HASHING },
    async ({ body, user, request, reply }) => {
      reply.header('cache-control', NO_STORE);
      const owner = { ...user, ...originOf(request) };
      return inLine(request, owner, () => beginTotp(deps, owner, body.password));
    },
  );

  endpoint(app, deps, api.confirmAuthenticator, async ({ body, user, reply }) => {
    reply.header('cache-control', NO_STORE);
    return { codes: await confirmTotp(deps, user, body.code) };
  });

  endpoint(
    app,
    deps,
    { ...api.renewRecoveryCodes, ...HASHING },
    async ({ body, user, request, reply }) => {
      reply.header('cache-control', NO_STORE);
      const owner = { ...user, ...originOf(request) };
      const codes = await inLine(request, owner, () => renewRecoveryCodes(deps, owner, body));
      return { codes };
    },
  );

  endpoint(app, deps, { ...api.endAuthenticator, ...HASHING }, async ({ body, user, request }) => {
    const owner = { ...user, ...originOf(request) };
    await inLine(request, owner, () => endTotp(deps, owner, body));
    return { success: true } as const;
  });
}
