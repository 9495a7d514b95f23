/** The console's calls about disputes: their list, their books and their evidence. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { TRANSFER_KIND_NAMES, type TransferKindName } from '@athos/contract/console/ledger';
import {
  accountCode,
  assetOfAccount,
  selectTransfersByKeys,
  type JournalTransfer,
} from '../../../ledger/index.ts';
import { consoleEndpoint } from '../../../platform/console/console-endpoint.ts';
import { maskEmail } from '../../../platform/console/mask-email.ts';
import { requireVersion } from '../../../platform/console/versions.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import { selectDispute, type DisputeRow } from '../disputes/disputes.sql.ts';
import { selectUser } from '../../identity/index.ts';
import {
  may,
  requireOthersAccount,
  type SignedInStaff,
} from '../../../platform/console/signed-in-staff.ts';
import {
  addEvidenceFile,
  lockDraft,
  requestAcceptance,
  requestSubmission,
  saveEvidence,
  type EvidenceTexts,
} from '../disputes/evidence.ts';
import { selectFile, selectFiles } from '../disputes/evidence.sql.ts';
import { selectOrder } from '../orders/orders.sql.ts';
import {
  countDisputes,
  positionOfDispute,
  selectDebts,
  selectDisputes,
  selectLedgerKeys,
  type ListedDispute,
} from './dispute-lists.sql.ts';
import { afterOf, WHOLE_LIST } from './lists.sql.ts';
import type { CardConsoleDeps } from './payments.routes.ts';
import { presentDispute, timeOf } from './present.ts';

export function registerDisputes(app: FastifyInstance, deps: CardConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.consoleDisputes, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('disputes', query);
    const [rows, total] = await Promise.all([
      selectDisputes(db, query, { limit, after: afterOf(after) }),
      count ?? countDisputes(db, query),
    ]);
    return listCursors.answer('disputes', query, {
      rows,
      count: total,
      positionOf: (row) => positionOfDispute(query.view, row),
      present: presentDispute,
    });
  });

  consoleEndpoint(
    app,
    deps,
    consoleApi.consoleDispute,
    async ({ params: { id }, staff, found }) => {
      const [row] = await selectDisputes(db, { id }, WHOLE_LIST);
      if (row === undefined) throw new AppError('not_found');
      found();
      return presentCase(db, row, staff);
    },
  );

  consoleEndpoint(app, deps, consoleApi.evidenceFile, async ({ params: { id, field } }) => {
    const file = await selectFile(db, id, field);
    if (file === undefined) throw new AppError('not_found');
    const { name, type, bytes } = file;
    return { field, name, type, base64: bytes.toString('base64') };
  });
}

const KIND_NAMES = new Map<number, TransferKindName>(
  Object.entries(TRANSFER_KIND_NAMES).map(([name, kind]) => [kind, name as TransferKindName]),
);

const presentLine = (transfer: JournalTransfer) => ({
  id: transfer.transferId.toString(),
  at: transfer.at.toISOString(),
  kind: KIND_NAMES.get(transfer.kind) ?? ('other' as const),
  asset: assetOfAccount(transfer.debitAccountId),
  amount: transfer.amountUnits.toString(),
  debit: accountCode(transfer.debitAccountId) ?? null,
  credit: accountCode(transfer.creditAccountId) ?? null,
});

function maskEvidence({ customer_email_address: email, ...others }: EvidenceTexts): EvidenceTexts {
  if (email === undefined) return others;
  return { ...others, customer_email_address: email.includes('@') ? maskEmail(email) : email };
}

/** If the masked address comes back unchanged, the saved address is kept. */
function unmaskEvidence({ evidence: saved }: DisputeRow, texts: EvidenceTexts): EvidenceTexts {
  const { customer_email_address: email } = saved;
  const isAsShown = texts.customer_email_address === maskEvidence(saved).customer_email_address;
  return isAsShown && email !== undefined ? { ...texts, customer_email_address: email } : texts;
}

/** The draft includes the texts, so that a person who lost the race sees both versions. The customer's address is masked as everywhere. */
const presentDraft = (row: ListedDispute, staff: SignedInStaff) => ({
  ...presentDispute(row),
  version: row.version,
  evidence: may(staff, 'customers.contact') ? row.evidence : maskEvidence(row.evidence),
});

async function presentCase(db: Db, row: ListedDispute, staff: SignedInStaff) {
  const [files, debts, order, keys] = await Promise.all([
    selectFiles(db, row.id),
    selectDebts(db, row.id),
    selectOrder(db, row.order_id),
    selectLedgerKeys(db, row),
  ]);
  invariant(order !== undefined, 'a dispute has its order');
  const transfers = await selectTransfersByKeys(db, keys);
  return {
    ...presentDraft(row, staff),
    evidence_act: row.evidence_act,
    evidence_failure: row.evidence_failure,
    submitted_at: timeOf(row.submitted_at),
    submission_count: row.submission_count,
    files: files.map(({ field, name, type, provider_file_id: theirId }) => ({
      field,
      name,
      type,
      is_sent: theirId !== null,
    })),
    payment: {
      token_amount: order.amount_micro_ath.toString(),
      total_usd_cents: order.total_usd_cents.toString(),
      returned_token_amount: order.returned_micro_ath.toString(),
      created_at: order.created_at.toISOString(),
    },
    journal: transfers.toReversed().map(presentLine),
    debts: debts.map((debt) => ({
      id: debt.id,
      token_amount: debt.amount_micro_ath.toString(),
      repaid_token_amount: debt.repaid_micro_ath.toString(),
      written_off_token_amount: debt.written_off_micro_ath.toString(),
      closed_at: timeOf(debt.closed_at),
    })),
  };
}

/** Throws `version_conflict` with the current dispute. */
async function requireDraft(
  tx: Tx,
  { id }: DisputeRow,
  { staff, version }: { readonly staff: SignedInStaff; readonly version: number },
): Promise<void> {
  const [row] = await selectDisputes(tx, { id }, WHOLE_LIST);
  invariant(row !== undefined, 'a locked dispute is there');
  requireVersion(version, presentDraft(row, staff));
}

/** Throws `not_found`, and `own_account` for a dispute of the person's own payment. */
async function requireOthersDispute(tx: Tx, staff: SignedInStaff, id: string): Promise<void> {
  const dispute = await selectDispute(tx, id);
  const user = dispute && (await selectUser(tx, dispute.user_id));
  if (user === undefined) throw new AppError('not_found');
  requireOthersAccount(staff, user);
}

export function registerEvidence(app: FastifyInstance, deps: CardConsoleDeps): void {
  consoleEndpoint(
    app,
    deps,
    consoleApi.saveEvidence,
    async ({ staff, tx, params, body, version, record }) => {
      await requireOthersDispute(tx, staff, params.id);
      const dispute = await lockDraft(tx, params.id);
      await requireDraft(tx, dispute, { staff, version });
      await record({
        subjectId: dispute.id,
        before: { fields: Object.keys(dispute.evidence) },
        after: { fields: Object.keys(body.evidence) },
      });
      return { version: await saveEvidence(tx, dispute, unmaskEvidence(dispute, body.evidence)) };
    },
  );

  consoleEndpoint(app, deps, consoleApi.addEvidenceFile, async (act) => {
    const { staff, tx, params, body, record } = act;
    await requireOthersDispute(tx, staff, params.id);
    const dispute = await lockDraft(tx, params.id);
    await record({ subjectId: dispute.id, after: { field: body.field, name: body.name } });
    const bytes = Buffer.from(body.base64, 'base64');
    const file = { field: body.field, name: body.name, bytes };
    return { version: await addEvidenceFile(tx, dispute, file) };
  });

  consoleEndpoint(app, deps, consoleApi.submitEvidence, async (act) => {
    const { staff, tx, params, version, record } = act;
    await requireOthersDispute(tx, staff, params.id);
    const dispute = await requestSubmission(deps, tx, params.id, (draft) =>
      requireDraft(tx, draft, { staff, version }),
    );
    await record({ subjectId: dispute.id, after: { fields: Object.keys(dispute.evidence) } });
    return { version: dispute.version + 1 };
  });

  consoleEndpoint(app, deps, consoleApi.acceptDispute, async (act) => {
    const { staff, tx, params, body, record } = act;
    await requireOthersDispute(tx, staff, params.id);
    const dispute = await requestAcceptance(tx, params.id);
    await record({ subjectId: dispute.id, after: { reason: body.reason } });
    return { outcome: 'done' };
  });
}
