/** The calls with which staff manage their own sign-in. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { endedCookie } from '../../../platform/console/console-cookie.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  addPasskey,
  beginTotp,
  changeOwnPassword,
  confirmTotp,
  drawRecoveryCodes,
  prove,
  removeFactor,
} from '../factors/own-factors.ts';
import { judgeNewPasskey, newPasskeyOptions, proofOptions } from '../factors/own-passkeys.ts';
import { nameOwnWallet } from '../people/manage-people.ts';
import { selectSessions } from '../people/people-list.sql.ts';
import { openAt, presentSession } from '../people/present-people.ts';
import { PROOF_MS } from '../sessions/staff-sessions.ts';
import { deleteSessions } from '../sessions/staff-sessions.sql.ts';
import type { StaffDeps } from '../staff-deps.ts';
import { presentSelf } from './present-self.ts';

const DONE = { success: true } as const;

function registerFactorRoutes(app: FastifyInstance, deps: StaffDeps): void {
  consoleEndpoint(app, deps, consoleApi.beginTotp, async ({ staff, tx, record }) => {
    const { factorId, ...answer } = await beginTotp(tx, deps, staff);
    await record({ subjectId: staff.staffId, after: { factor_id: factorId, kind: 'totp' } });
    return answer;
  });

  consoleEndpoint(app, deps, consoleApi.confirmTotp, async ({ staff, tx, body, record }) => {
    const factorId = await confirmTotp(tx, deps, staff, body);
    const after = { factor_id: factorId, kind: 'totp', name: body.name };
    await record({ subjectId: staff.staffId, after });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.newPasskeyOptions, ({ staff }) =>
    newPasskeyOptions(deps, staff),
  );

  consoleEndpoint(app, deps, consoleApi.addPasskey, async ({ staff, tx, body, record }) => {
    const { name } = body;
    const passkey = await judgeNewPasskey(deps, staff.staffId, body.passkey);
    await addPasskey(tx, deps, staff, { passkey, name });
    await record({ subjectId: staff.staffId, after: { kind: 'passkey', name } });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.removeFactor, async ({ staff, tx, params, record }) => {
    const before = await removeFactor(tx, deps, staff, params.id);
    await record({ subjectId: staff.staffId, before: { factor_id: params.id, ...before } });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.makeRecoveryCodes, async ({ staff, tx, record }) => {
    const codes = await drawRecoveryCodes(tx, deps, staff);
    await record({ subjectId: staff.staffId });
    return { codes };
  });

  consoleEndpoint(app, deps, consoleApi.changeOwnPassword, async ({ staff, tx, body, record }) => {
    await changeOwnPassword(tx, deps, staff, body.password);
    await record({ subjectId: staff.staffId });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.proofOptions, ({ staff }) => proofOptions(deps, staff));

  consoleEndpoint(app, deps, consoleApi.prove, async ({ staff, tx, body, record }) => {
    const { code, passkey } = body;
    if (passkey !== undefined) await prove(tx, deps, staff, { passkey });
    else if (code !== undefined) await prove(tx, deps, staff, { code });
    const by = passkey === undefined ? 'totp' : 'passkey';
    await record({ subjectId: staff.staffId, after: { by } });
    return { proved_until: new Date(deps.clock.nowMs() + PROOF_MS).toISOString() };
  });
}

export function registerMeRoutes(app: FastifyInstance, deps: StaffDeps): void {
  const { db, config } = deps;

  consoleEndpoint(app, deps, consoleApi.me, ({ staff }) => presentSelf(deps, staff));

  consoleEndpoint(app, deps, consoleApi.signOut, async ({ staff, tx, record, reply }) => {
    const { staffId, sessionId } = staff;
    await deleteSessions(tx, staffId, { id: sessionId });
    await record({ subjectId: staffId });
    reply.header('set-cookie', endedCookie(config.console));
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.nameOwnWallet, async ({ staff, tx, body, record }) => {
    await nameOwnWallet(tx, staff, body.wallet_uuid);
    const { walletUuid: before } = staff;
    await record({
      subjectId: staff.staffId,
      before: { wallet_uuid: before },
      after: { wallet_uuid: body.wallet_uuid },
    });
    return DONE;
  });

  consoleEndpoint(app, deps, consoleApi.ownSessions, async ({ staff }) => {
    const sessions = await selectSessions(db, staff.staffId, openAt(deps));
    return { items: sessions.map((session) => presentSession(session, staff.sessionId)) };
  });

  consoleEndpoint(app, deps, consoleApi.endOwnSession, async ({ staff, tx, params, record }) => {
    const endedCount = await deleteSessions(tx, staff.staffId, { id: params.id });
    if (endedCount === 0) throw new AppError('not_found');
    await record({ subjectId: staff.staffId, before: { session_id: params.id } });
    return DONE;
  });

  registerFactorRoutes(app, deps);
}
