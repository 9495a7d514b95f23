/** Evidence in a dispute: drafted and saved here, and submitted to the bank once before its due date, unless the dispute is accepted. */
import { randomUUID } from 'node:crypto';
import {
  EVIDENCE_CHARACTERS_MAX,
  EVIDENCE_FILE_BYTES_MAX,
  type EvidenceFileField,
  type EvidenceTextField,
} from '@athos/contract/console/evidence';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { EvidenceAnswer } from '../provider/card-disputes.ts';
import { refreshDispute } from './refresh-disputes.ts';
import type { DisputeDeps } from './debts.ts';
import { awaitsEvidence } from './dispute-states.ts';
import { lockDispute, selectDispute, updateDispute, type DisputeRow } from './disputes.sql.ts';
import { insertFile, selectFiles, selectUnsentFiles, updateFileSent } from './evidence.sql.ts';

export type EvidenceTexts = Partial<Record<EvidenceTextField, string>>;

/** The provider accepts 4.5 MB in total. */
const FILES_BYTES_MAX = 4_500_000;

const SIGNATURES = [
  ['application/pdf', '%PDF-'],
  ['image/png', '\x89PNG\r\n'],
  ['image/jpeg', '\xff\xd8\xff'],
] as const;

/** Detects the type from the first bytes, not from the name. Throws `invalid_request` for a type that the provider does not accept. */
function typeOfFile(bytes: Buffer): string {
  const start = bytes.subarray(0, 8).toString('latin1');
  const found = SIGNATURES.find(([, signature]) => start.startsWith(signature));
  if (found === undefined)
    throw new AppError('invalid_request', { detail: 'Send a PDF, PNG or JPEG file.' });
  return found[0];
}

/** Locks a dispute whose evidence is still a draft. Throws `not_found` or `state_changed`. */
export async function lockDraft(tx: Tx, disputeId: string): Promise<DisputeRow> {
  const dispute = await lockDispute(tx, disputeId);
  if (dispute === undefined) throw new AppError('not_found');
  if (!awaitsEvidence(dispute.status)) {
    throw new AppError('state_changed', { detail: 'The bank awaits no evidence.' });
  }
  if (dispute.evidence_state === 'submitting' || dispute.evidence_state === 'submitted') {
    throw new AppError('state_changed', { detail: 'The evidence was submitted.' });
  }
  return dispute;
}

/** Replaces the texts. The caller must hold the lock of `lockDraft` and must have compared the version. */
export async function saveEvidence(
  tx: Tx,
  dispute: DisputeRow,
  texts: EvidenceTexts,
): Promise<number> {
  const characterCount = Object.values(texts).reduce((sum, text) => sum + text.length, 0);
  if (characterCount > EVIDENCE_CHARACTERS_MAX) {
    throw new AppError('invalid_request', {
      detail: `All texts together have at most ${EVIDENCE_CHARACTERS_MAX} characters.`,
    });
  }
  const version = dispute.version + 1;
  await updateDispute(tx, dispute.id, { evidence: JSON.stringify(texts), version });
  return version;
}

/** Adds a file, or replaces the one of the same field. Returns the new version. */
export async function addEvidenceFile(
  tx: Tx,
  dispute: DisputeRow,
  { field, name, bytes }: { field: EvidenceFileField; name: string; bytes: Buffer },
): Promise<number> {
  const type = typeOfFile(bytes);
  const others = (await selectFiles(tx, dispute.id)).filter((file) => file.field !== field);
  const sum = others.reduce((total, { size }) => total + size, bytes.length);
  if (bytes.length > EVIDENCE_FILE_BYTES_MAX || sum > FILES_BYTES_MAX) {
    throw new AppError('body_too_large', {
      detail: `At most ${EVIDENCE_FILE_BYTES_MAX} bytes each, and ${FILES_BYTES_MAX} in all.`,
    });
  }
  await insertFile(tx, { id: randomUUID(), dispute_id: dispute.id, field, name, type, bytes });
  const version = dispute.version + 1;
  await updateDispute(tx, dispute.id, { version });
  return version;
}

/** Enqueues the final submission of the saved evidence. `check` refuses evidence that the caller has not seen. Throws `state_changed` after the due date. */
export async function requestSubmission(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  disputeId: string,
  check: (dispute: DisputeRow) => Promise<void>,
): Promise<DisputeRow> {
  const dispute = await lockDraft(tx, disputeId);
  await check(dispute);
  if (dispute.due_at !== null && dispute.due_at <= dateOf(clock)) {
    throw new AppError('state_changed', { detail: 'The due date has passed.' });
  }
  await beginSending(tx, dispute, 'submit');
  return dispute;
}

/** Enqueues the acceptance of the dispute, which loses it. */
export async function requestAcceptance(tx: Tx, disputeId: string): Promise<DisputeRow> {
  const dispute = await lockDraft(tx, disputeId);
  await beginSending(tx, dispute, 'accept');
  return dispute;
}

async function beginSending(tx: Tx, dispute: DisputeRow, act: 'submit' | 'accept'): Promise<void> {
  await updateDispute(tx, dispute.id, {
    evidence_state: 'submitting',
    evidence_act: act,
    evidence_key: randomUUID(),
    evidence_failure: null,
    version: dispute.version + 1,
  });
  await enqueueJob(
    tx,
    'dispute_send',
    { disputeId: dispute.id },
    { key: `dispute_send:${dispute.id}` },
  );
}

/** Stores the files at the provider, each once, and submits all evidence. If the provider refuses a file, nothing is submitted. */
async function submit(
  { db, cardProvider }: DisputeDeps,
  dispute: DisputeRow,
  key: string,
): Promise<EvidenceAnswer> {
  for (const { id, name, type, bytes } of await selectUnsentFiles(db, dispute.id)) {
    const sent = await cardProvider.uploadEvidence({ name, type, bytes }, id);
    if (sent.outcome === 'refused') return { ...sent, message: `${name}: ${sent.message}` };
    await updateFileSent(db, id, sent.fileId);
  }
  const files = await selectFiles(db, dispute.id);
  const ids = files.map(({ field, provider_file_id: fileId }) => [field, fileId ?? ''] as const);
  const evidence = { ...dispute.evidence, ...Object.fromEntries(ids) };
  return cardProvider.submitEvidence(dispute.provider_dispute_id, evidence, key);
}

/** The job of one submission or acceptance. Throws while the outcome is unknown, and retries with the same key. */
export async function sendEvidence(deps: DisputeDeps, disputeId: string): Promise<void> {
  const dispute = await selectDispute(deps.db, disputeId);
  if (dispute?.evidence_state !== 'submitting' || dispute.evidence_key === null) return;
  const { provider_dispute_id: theirId, evidence_key: key, evidence_act: act } = dispute;
  const answer =
    act === 'accept'
      ? await deps.cardProvider.closeDispute(theirId, key)
      : await submit(deps, dispute, key);
  const isDone = answer.outcome === 'done';
  await deps.db.transaction().execute(async (tx) => {
    const locked = await lockDispute(tx, disputeId);
    if (locked?.evidence_key !== key) return;
    await updateDispute(tx, disputeId, {
      evidence_state: isDone ? 'submitted' : 'refused',
      evidence_failure: isDone ? null : `${answer.code}: ${answer.message}`,
      submitted_at: isDone ? dateOf(deps.clock) : null,
      version: locked.version + 1,
    });
  });
  if (isDone) await refreshDispute(deps, theirId);
  else {
    deps.log.error(
      { alarm: 'evidence_refused', disputeId: theirId, reason: answer.code },
      'the provider refused the evidence',
    );
  }
}
