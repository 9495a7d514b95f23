import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { perform, selectPendingOf, type PerformDeps } from '../approvals/index.ts';
import { createDraft, discardDraft, editDraft } from './edit-drafts.ts';
import { presentText, presentTexts } from './present-texts.ts';
import { publishAction } from './publish-text.ts';

const DAY_MS = 24 * 60 * 60_000;
const AHEAD_MAX_MS = 366 * DAY_MS;

export type LegalConsoleDeps = ConsoleDeps & PerformDeps;

export function registerLegalConsole(app: FastifyInstance, given: LegalConsoleDeps): void {
  const { db, clock } = given;
  const deps = {
    ...given,
    requestsOf: (from: Db | Tx) => selectPendingOf(from, publishAction.name),
  };

  consoleEndpoint(app, deps, consoleApi.legalTexts, () => presentTexts(deps, db));

  consoleEndpoint(app, deps, consoleApi.legalTextVersion, ({ params }) =>
    presentText(deps, db, params.id),
  );

  consoleEndpoint(app, deps, consoleApi.draftLegalText, ({ body, ...act }) =>
    createDraft(deps, act, body),
  );

  consoleEndpoint(app, deps, consoleApi.editLegalText, ({ params, body, ...act }) =>
    editDraft(deps, act, params.id, body),
  );

  consoleEndpoint(app, deps, consoleApi.discardLegalText, async ({ params, ...act }) => {
    await discardDraft(act, params.id);
    return { success: true };
  });

  consoleEndpoint(app, deps, consoleApi.publishLegalText, ({ params, body, ...act }) => {
    const { in_force_from: inForceFrom, reason } = body;
    const aheadMs = inForceFrom === null ? 0 : Date.parse(inForceFrom) - clock.nowMs();
    if (inForceFrom !== null && (aheadMs <= 0 || aheadMs > AHEAD_MAX_MS)) {
      throw new AppError('invalid_request', { detail: 'Choose a time within the next 366 days.' });
    }
    const payload = { id: params.id, in_force_from: inForceFrom };
    return perform(deps, act, publishAction, { payload, reason });
  });
}
