import type { FastifyInstance, FastifyRequest } from 'fastify';
import { api } from '@athos/contract/api';
import { AppError } from '../../../platform/errors.ts';
import { createChallengeRoom } from '../../../platform/factors/challenge-room.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { callerOf, networkCaller } from '../../../platform/limits/caller.ts';
import type { Gate } from '../../../platform/limits/gate.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { deviceOf } from '../sign-in/device.ts';
import { beginPasskey, endPasskey, registerPasskey } from './own-passkeys.ts';
import { passkeySite } from './passkey-site.ts';
import { signInOptions, signInWithPasskey } from './passkey-sign-in.ts';
import { selectPasskeys, updatePasskeyName } from './passkeys.sql.ts';

const NO_STORE = 'no-store';
const ACCEPTED = { success: true } as const;
/** Requests that hash a password may queue (platform/keys/passwords.ts). Below the client's 10 s timeout. */
const HASHING = { answerWithinMs: 9_000 } as const;

/** `linkGate` limits the number of database connections that callers who are not signed in may use. */
export function registerPasskeyRoutes(app: FastifyInstance, deps: AuthDeps, linkGate: Gate): void {
  const { config, db, passwords } = deps;
  const site = passkeySite(deps);
  const takeRoom = createChallengeRoom(deps);
  const originOf = (request: FastifyRequest) => ({
    networkAddress: request.ip,
    device: deviceOf(request, config.hashingKeys),
  });
  const inLine = <Result>(request: FastifyRequest, userId: bigint, work: () => Promise<Result>) =>
    passwords.line(['owner', ...networkCaller(request.ip), `${userId}`], work);

  endpoint(app, deps, api.passkeyOptions, ({ request, reply }) => {
    reply.header('cache-control', NO_STORE);
    return linkGate(['passkey', ...callerOf(request)], () =>
      signInOptions(deps, site(), { networkAddress: request.ip, takeRoom }),
    );
  });

  endpoint(app, deps, api.signInByPasskey, async ({ body, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const { token, userUuid } = await linkGate(['passkey', ...callerOf(request)], () =>
      signInWithPasskey(deps, site(), body.passkey, originOf(request)),
    );
    return { token, uuid: userUuid };
  });

  endpoint(app, deps, { ...api.beginPasskey, ...HASHING }, ({ body, user, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const owner = { ...user, ...originOf(request) };
    return inLine(request, user.userId, () => beginPasskey(deps, site(), owner, body));
  });

  endpoint(app, deps, api.registerPasskey, async ({ body, user, request }) => {
    await registerPasskey(deps, site(), { ...user, ...originOf(request) }, body.passkey);
    return ACCEPTED;
  });

  endpoint(app, deps, api.passkeys, async ({ user, reply }) => {
    reply.header('cache-control', NO_STORE);
    const passkeys = await selectPasskeys(db, user.userId);
    return {
      passkeys: passkeys.map(({ id, name, createdAt, usedAt }) => ({
        id,
        name,
        added_at: createdAt.toISOString(),
        used_at: usedAt?.toISOString() ?? null,
      })),
    };
  });

  endpoint(app, deps, api.renamePasskey, async ({ body, params, user: { userId } }) => {
    const isOwn = await updatePasskeyName(db, { id: params.id, userId }, body.name);
    if (!isOwn) throw new AppError('not_found');
    return ACCEPTED;
  });

  endpoint(
    app,
    deps,
    { ...api.endPasskey, ...HASHING },
    async ({ body, params, user, request }) => {
      const owner = { ...user, ...originOf(request) };
      await inLine(request, user.userId, () => endPasskey(deps, owner, params.id, body));
      return ACCEPTED;
    },
  );
}
