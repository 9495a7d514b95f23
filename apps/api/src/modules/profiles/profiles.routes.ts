import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { changesAt, setDisplayName, setHandle } from './own-profile.ts';
import { makePayCode, readPayCodes, type PayCode, type PayCodeDeps } from './pay-codes.ts';
import { deletePayCode } from './pay-codes.sql.ts';
import { selectProfile, type Profile } from './profiles.sql.ts';

const NO_STORE = 'no-store';

export function registerProfileRoutes(
  app: FastifyInstance,
  deps: EndpointDeps & PayCodeDeps,
): void {
  const { db, clock, config } = deps;

  const presentProfile = (profile: Profile) => ({
    display_name: profile.displayName,
    shows_name: profile.showsName,
    handle: profile.handle,
    handle_changes_at: changesAt(profile, dateOf(clock))?.toISOString() ?? null,
    is_findable: profile.isFindable,
  });
  const presentPayCode = ({ id, madeAt, code, ...details }: PayCode) => ({
    id,
    ...details,
    link: `${config.publicUrl}/app/pay?code=${code}`,
    made_at: madeAt.toISOString(),
  });

  endpoint(app, deps, api.publicProfile, async ({ user, reply }) => {
    reply.header('cache-control', NO_STORE);
    return presentProfile(await selectProfile(db, user.userId));
  });

  endpoint(app, deps, api.setDisplayName, async ({ user, body }) => {
    const name = { text: body.display_name, showsName: body.shows_name };
    return presentProfile(await setDisplayName(deps, user.userId, name));
  });

  endpoint(app, deps, api.setHandle, async ({ user, body }) => {
    const wanted = { text: body.handle, isFindable: body.is_findable };
    return presentProfile(await setHandle(deps, user.userId, wanted));
  });

  endpoint(app, deps, api.payCodes, async ({ user, reply }) => {
    reply.header('cache-control', NO_STORE);
    return { pay_codes: (await readPayCodes(deps, user.userId)).map(presentPayCode) };
  });

  endpoint(app, deps, api.makePayCode, async ({ user, body, reply }) => {
    reply.header('cache-control', NO_STORE);
    return presentPayCode(await makePayCode(deps, user.userId, { amount: undefined, ...body }));
  });

  endpoint(app, deps, api.endPayCode, async ({ user, params }) => {
    if (!(await deletePayCode(db, user.userId, params.id))) throw new AppError('not_found');
    return { success: true } as const;
  });
}
