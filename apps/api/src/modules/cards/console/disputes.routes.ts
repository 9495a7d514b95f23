/** The console's calls about disputes: their list, their evidence, and the debts that they leave. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { perform } from '../../approvals/index.ts';
import {
  addEvidenceFile,
  lockDraft,
  requestAcceptance,
  requestSubmission,
  saveEvidence,
} from '../disputes/evidence.ts';
import { selectFiles } from '../disputes/evidence.sql.ts';
import { writeOffAction } from './card-money.actions.ts';
import {
  afterOf,
  disputeList,
  selectDebts,
  selectDisputes,
  WHOLE_LIST,
  type ListedDispute,
} from './lists.sql.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { presentDispute } from './present.ts';

export function registerDisputes(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleDisputes, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('disputes', query);
    return listCursors.answer('disputes', query, {
      rows: await selectDisputes(db, query, { limit, after: afterOf(after) }),
      count: count ?? (await countRows(db, disputeList(db, query))),
      positionOf: ({ id, opened_at: at }) => [at.toISOString(), id],
      present: presentDispute,
    });
  });

  consoleEndpoint(app, deps, consoleApi.consoleDispute, async ({ params: { id } }) => {
    const [row] = await selectDisputes(db, { id }, WHOLE_LIST);
    if (row === undefined) throw new AppError('not_found');
    return presentCase(deps, row);
  });

  consoleEndpoint(app, deps, consoleApi.writeOffDebt, ({ params, body, ...act }) => {
    const payload = { debt_id: params.id };
    return perform(deps, act, writeOffAction, { payload, reason: body.reason });
  });
}

export function registerEvidence(app: FastifyInstance, deps: CardConsoleDeps): void {
  consoleEndpoint(
    app,
    deps,
    consoleApi.saveEvidence,
    async ({ tx, params, body, version, record }) => {
      const dispute = await lockDraft(tx, params.id);
      const [row] = await selectDisputes(tx, { id: params.id }, WHOLE_LIST);
      invariant(row !== undefined, 'a locked dispute is there');
      requireVersion(version, { ...presentDispute(row), version: row.version });
      await record({
        subjectId: dispute.id,
        before: { fields: Object.keys(dispute.evidence) },
        after: { fields: Object.keys(body.evidence) },
      });
      return { version: await saveEvidence(tx, dispute, body.evidence) };
    },
  );

  consoleEndpoint(app, deps, consoleApi.addEvidenceFile, async ({ tx, params, body, record }) => {
    const dispute = await lockDraft(tx, params.id);
    await record({ subjectId: dispute.id, after: { field: body.field, name: body.name } });
    const bytes = Buffer.from(body.base64, 'base64');
    await addEvidenceFile(tx, dispute, { field: body.field, name: body.name, bytes });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.submitEvidence, async ({ tx, params, record }) => {
    const dispute = await requestSubmission(deps, tx, params.id);
    await record({ subjectId: dispute.id, after: { fields: Object.keys(dispute.evidence) } });
    return { outcome: 'done' };
  });

  consoleEndpoint(app, deps, consoleApi.acceptDispute, async ({ tx, params, body, record }) => {
    const dispute = await requestAcceptance(tx, params.id);
    await record({ subjectId: dispute.id, after: { reason: body.reason } });
    return { outcome: 'done' };
  });
}

async function presentCase({ db }: CardConsoleDeps, row: ListedDispute) {
  const [files, debts] = await Promise.all([selectFiles(db, row.id), selectDebts(db, row.id)]);
  return {
    ...presentDispute(row),
    version: row.version,
    evidence: row.evidence,
    evidence_failure: row.evidence_failure,
    submitted_at: row.submitted_at?.toISOString() ?? null,
    files: files.map(({ field, name, type, provider_file_id: theirId }) => ({
      field,
      name,
      type,
      is_sent: theirId !== null,
    })),
    debts: debts.map((debt) => ({
      id: debt.id,
      token_amount: debt.amount_micro_ath.toString(),
      repaid_token_amount: debt.repaid_micro_ath.toString(),
      written_off_token_amount: debt.written_off_micro_ath.toString(),
      closed_at: debt.closed_at?.toISOString() ?? null,
    })),
  };
}
