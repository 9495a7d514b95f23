import type { FastifyInstance, FastifyRequest } from 'fastify';
import { api } from '@athos/contract/api';
import type { ConfirmationLimit } from '@athos/domain/confirmation-rules';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { networkCaller, type Caller } from '../../../platform/limits/caller.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { passkeySite } from '../passkeys/passkey-site.ts';
import { deviceOf } from '../sign-in/device.ts';
import { confirmationOptions, giveConfirmation } from './give-confirmation.ts';
import { changeOwnLimit, limitOfCents, readOwnLimit, type OwnLimit } from './own-limit.ts';

const NO_STORE = 'no-store';
/** Requests that hash a password may queue (platform/keys/passwords.ts). Below the client's 10 s timeout. */
const HASHING = { answerWithinMs: 9_000 } as const;

const presentCents = (limit: ConfirmationLimit): number | null =>
  limit === undefined ? null : parseInt(limit.toString(), 10);

const presentLimit = ({ limit, usual, next }: OwnLimit) => ({
  limit_usd_cents: presentCents(limit),
  usual_usd_cents: presentCents(usual),
  next:
    next === undefined
      ? null
      : { limit_usd_cents: presentCents(next.limit), from: next.from.toISOString() },
});

export function registerConfirmationRoutes(app: FastifyInstance, deps: AuthDeps): void {
  const { config, passwords } = deps;
  const site = passkeySite(deps);
  const originOf = (request: FastifyRequest) => ({
    networkAddress: request.ip,
    device: deviceOf(request, config.hashingKeys),
  });

  endpoint(app, deps, { ...api.confirm, ...HASHING }, async ({ body, user, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const { action_hash: actHash, proof } = body;
    const asked = { owner: { ...user, ...originOf(request) }, actHash };
    const give = (): Promise<string> => giveConfirmation(deps, site, asked, proof);
    const line: Caller = ['owner', ...networkCaller(request.ip), `${user.userId}`];
    return {
      confirmation: await (proof.method === 'password' ? passwords.line(line, give) : give()),
    };
  });

  endpoint(app, deps, api.confirmOptions, ({ body, user, request, reply }) => {
    reply.header('cache-control', NO_STORE);
    const owner = { ...user, ...originOf(request) };
    return confirmationOptions(deps, site(), owner, body.action_hash);
  });

  endpoint(app, deps, api.confirmationLimit, async ({ user, reply }) => {
    reply.header('cache-control', NO_STORE);
    return presentLimit(await readOwnLimit(deps, user.userId));
  });

  endpoint(app, deps, api.changeConfirmationLimit, async ({ body, user, confirmation }) => {
    const wanted = limitOfCents(body.limit_usd_cents);
    return presentLimit(await changeOwnLimit(deps, { user, confirmation }, wanted));
  });
}
