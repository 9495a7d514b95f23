/** The part of the provider's interface about disputes and early fraud warnings. */
import type Stripe from 'stripe';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { readTransaction, type CardTransaction } from './card-money.ts';
import { dateOfSeconds, idOf, PAGE_SIZE, readEach } from './connection.ts';
import { refusalOf, unavailable, type ProviderRefusal } from './provider-errors.ts';

export interface CardDispute {
  readonly disputeId: string;
  readonly intentId: string | undefined;
  readonly status: string;
  readonly reason: string;
  readonly amountUsdCents: UsdCents;
  readonly createdAt: Date;
  /** The time until which evidence may be submitted. */
  readonly dueAt: Date | undefined;
  readonly submissionCount: number;
  /** The transactions that withdrew or reinstated its funds, oldest first. */
  readonly transactions: readonly CardTransaction[];
}

export interface CardWarning {
  readonly warningId: string;
  readonly intentId: string | undefined;
  readonly chargeId: string | undefined;
  readonly fraudType: string;
  /** Whether a refund can still prevent a dispute. */
  readonly isActionable: boolean;
  readonly createdAt: Date;
}

export type EvidenceAnswer =
  | { readonly outcome: 'done'; readonly dispute: CardDispute }
  | ({ readonly outcome: 'refused' } & ProviderRefusal);

export type FileAnswer =
  | { readonly outcome: 'done'; readonly fileId: string }
  | ({ readonly outcome: 'refused' } & ProviderRefusal);

export interface EvidenceFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

function readDispute(dispute: Stripe.Dispute): CardDispute {
  const { due_by: dueBy, submission_count: submissionCount } = dispute.evidence_details;
  return {
    disputeId: dispute.id,
    intentId: idOf(dispute.payment_intent),
    status: dispute.status,
    reason: dispute.reason,
    amountUsdCents: usdCents(BigInt(dispute.amount)),
    createdAt: dateOfSeconds(dispute.created),
    dueAt: dueBy === null ? undefined : dateOfSeconds(dueBy),
    submissionCount,
    transactions: dispute.balance_transactions.map(readTransaction),
  };
}

function readWarning(warning: Stripe.Radar.EarlyFraudWarning): CardWarning {
  return {
    warningId: warning.id,
    intentId: idOf(warning.payment_intent),
    chargeId: idOf(warning.charge),
    fraudType: warning.fraud_type,
    isActionable: warning.actionable,
    createdAt: dateOfSeconds(warning.created),
  };
}

async function answerOf(call: Promise<Stripe.Dispute>): Promise<EvidenceAnswer> {
  try {
    return { outcome: 'done', dispute: readDispute(await call) };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw unavailable(error);
    return { outcome: 'refused', ...refusal };
  }
}

export interface CardDisputes {
  retrieveDispute(disputeId: string): Promise<CardDispute>;
  /** The disputes of a payment, newest first. */
  listDisputes(intentId: string): AsyncIterable<CardDispute>;
  /** Sends evidence to the bank, which is final. The same key repeats the first answer. */
  submitEvidence(
    disputeId: string,
    evidence: Readonly<Record<string, string>>,
    key: string,
  ): Promise<EvidenceAnswer>;
  /** Accepts the dispute as lost. */
  closeDispute(disputeId: string, key: string): Promise<EvidenceAnswer>;
  /** Stores a file at the provider. With the same key, it is stored only once. */
  uploadEvidence(file: EvidenceFile, key: string): Promise<FileAnswer>;
  retrieveWarning(warningId: string): Promise<CardWarning>;
}

export function createCardDisputes(connected: () => Promise<Stripe>): CardDisputes {
  return {
    async retrieveDispute(disputeId) {
      const { disputes } = await connected();
      try {
        return readDispute(await disputes.retrieve(disputeId));
      } catch (error) {
        throw unavailable(error);
      }
    },
    listDisputes: (intentId) =>
      readEach(
        connected(),
        ({ disputes }) => disputes.list({ payment_intent: intentId, limit: PAGE_SIZE }),
        readDispute,
      ),
    async submitEvidence(disputeId, evidence, key) {
      const { disputes } = await connected();
      const params = { evidence, submit: true };
      return answerOf(disputes.update(disputeId, params, { idempotencyKey: key }));
    },
    async closeDispute(disputeId, key) {
      const { disputes } = await connected();
      return answerOf(disputes.close(disputeId, {}, { idempotencyKey: key }));
    },
    async uploadEvidence({ name, type, bytes }, key) {
      const { files } = await connected();
      const file = { data: bytes, name, type };
      try {
        const { id } = await files.create(
          { purpose: 'dispute_evidence', file },
          { idempotencyKey: key },
        );
        return { outcome: 'done', fileId: id };
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw unavailable(error);
        return { outcome: 'refused', ...refusal };
      }
    },
    async retrieveWarning(warningId) {
      const { radar } = await connected();
      try {
        return readWarning(await radar.earlyFraudWarnings.retrieve(warningId));
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}
