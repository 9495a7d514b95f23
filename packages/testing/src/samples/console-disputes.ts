/** Disputed payments, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Summary = ConsoleAnswerOf<'consoleDisputes'>['items'][number];
type Dispute = ConsoleAnswerOf<'consoleDispute'>;
type Line = Dispute['journal'][number];

const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
export const DISPUTE_ID = '0192c2c2-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;
/** ISO 8601 time this many hours from now. */
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

const summary = (index: number, more: Partial<Summary> = {}): Summary => ({
  id: `0192c2c2-0000-4000-8000-00000000000${index}`,
  provider_dispute_id: `dp_1QmB7x2eZvKYlo2C0s9K4xT${index}`,
  payment_id: '0192dddd-0000-7000-8000-000000000077',
  customer_uuid: CUSTOMER_UUID,
  status: 'needs_response',
  phase: 'open',
  reason: 'product_not_received',
  amount_usd_cents: '8415',
  withdrawn_usd_cents: '8415',
  taken_token_amount: '500000000',
  owed_token_amount: '415850000',
  due_at: inHours(61),
  evidence_state: 'draft',
  awaits_evidence: true,
  opened_at: inHours(-24 * 6),
  ...more,
});

const SENT = { evidence_state: 'submitted', awaits_evidence: false } as const;

const waiting = (): Summary[] => [
  summary(1, { due_at: inHours(-5), reason: 'fraudulent' }),
  summary(2, { due_at: inHours(30), amount_usd_cents: '1868', owed_token_amount: '0' }),
  summary(3, {
    status: 'warning_needs_response',
    phase: 'inquiry',
    reason: 'unrecognized',
    due_at: inHours(24 * 9),
    withdrawn_usd_cents: '0',
    taken_token_amount: '0',
    owed_token_amount: '0',
  }),
  summary(4, {
    status: 'appeal_needs_response',
    due_at: inHours(24 * 17),
    amount_usd_cents: '128040',
    reason: 'product_unacceptable',
  }),
];

const decided = (): Summary[] => [
  summary(5, { ...SENT, status: 'under_review', reason: 'duplicate' }),
  summary(6, { ...SENT, status: 'won', phase: 'closed', owed_token_amount: '0' }),
  summary(7, { ...SENT, status: 'lost', phase: 'lost', reason: 'fraudulent' }),
  summary(8, { ...SENT, status: 'verdict_pending', reason: 'scheme_rule_9' }),
];

const line = (index: number, more: Partial<Line>): Line => ({
  id: String(48_300 - index),
  at: inHours(-24 * 6 - index / 60),
  kind: 'chargeback',
  asset: 'USD',
  amount: '8415',
  debit: 'disputed',
  credit: 'card_provider',
  ...more,
});

export const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  ...summary(1, { reason: 'product_not_received' }),
  version: 4,
  evidence: {
    customer_name: 'Maria Ferreira dos Santos',
    customer_email_address: 'maria@example.com',
    product_description:
      'Tokens of the rewards wallet, delivered to the account at once, and spent on two tickets.',
    access_activity_log:
      '2026-11-14 18:02 UTC  signed in with a code sent to maria@example.com\n2026-11-14 18:04 UTC  paid by card, 3-D Secure passed\n2026-11-14 18:04 UTC  500.00 ATH credited\n2026-11-14 18:09 UTC  bought 2 × Lemonade\n2026-11-15 21:31 UTC  redeemed 2 × Lemonade at the North Gate',
  },
  evidence_act: null,
  evidence_failure: null,
  submitted_at: null,
  submission_count: 0,
  files: [
    { field: 'receipt', name: 'receipt-0192dddd.pdf', type: 'application/pdf', is_sent: false },
    {
      field: 'service_documentation',
      name: 'scan-north-gate.png',
      type: 'image/png',
      is_sent: false,
    },
  ],
  payment: {
    token_amount: '500000000',
    total_usd_cents: '8415',
    returned_token_amount: '0',
    created_at: inHours(-24 * 8),
  },
  journal: [
    line(0, { asset: 'ATH', amount: '500000000', debit: null, credit: 'dispute_hold' }),
    line(1, { kind: 'provider_fee', amount: '1500', debit: 'dispute_fees' }),
    line(2, {}),
  ],
  debts: [
    {
      id: '0192dbdb-0000-7000-8000-000000000001',
      token_amount: '431500000',
      repaid_token_amount: '15650000',
      written_off_token_amount: '0',
      closed_at: null,
    },
  ],
  ...more,
});

/** Evidence was submitted, and the bank has not decided yet. */
export const submittedDispute = (): Dispute =>
  dispute({
    ...SENT,
    status: 'under_review',
    evidence_act: 'submit',
    submitted_at: inHours(-3),
    submission_count: 1,
    files: dispute().files.map((file) => ({ ...file, is_sent: true })),
  });

export const lostDispute = (): Dispute => ({
  ...submittedDispute(),
  status: 'lost',
  phase: 'lost',
  journal: [
    line(-3, { debit: 'chargeback_loss', credit: 'disputed' }),
    line(-2, { asset: 'ATH', amount: '500000000', debit: 'dispute_hold', credit: 'issuance' }),
    ...dispute().journal,
  ],
});

type Debt = ConsoleAnswerOf<'consoleDebt'>;
type Warning = ConsoleAnswerOf<'consoleWarnings'>['items'][number];

export const DEBT_ID = '0192dbdb-0000-7000-8000-000000000001';

export const debt = (index: number, more: Partial<Debt> = {}): Debt => ({
  id: `0192dbdb-0000-7000-8000-00000000000${index}`,
  dispute_id: DISPUTE_ID,
  payment_id: '0192dddd-0000-7000-8000-000000000077',
  customer_uuid: `0192aaaa-0000-7000-8000-00000000010${index}`,
  token_amount: '431500000',
  repaid_token_amount: '15650000',
  written_off_token_amount: '0',
  owed_token_amount: '415850000',
  created_at: inHours(-24 * index * 5),
  closed_at: null,
  ...more,
});

const debts = (): Debt[] => [
  debt(1),
  debt(2, {
    token_amount: '60000000',
    repaid_token_amount: '42000000',
    owed_token_amount: '18000000',
  }),
  debt(3, {
    token_amount: '2250000000',
    repaid_token_amount: '0',
    owed_token_amount: '2250000000',
  }),
];

const closedDebts = (): Debt[] => [
  debt(4, {
    repaid_token_amount: '431500000',
    owed_token_amount: '0',
    closed_at: inHours(-30),
  }),
  debt(5, {
    written_off_token_amount: '415850000',
    owed_token_amount: '0',
    closed_at: inHours(-90),
  }),
];

const warning = (index: number, more: Partial<Warning> = {}): Warning => ({
  id: `issfr_1QmB7x2eZvKYlo2C${index}`,
  payment_id: '0192dddd-0000-7000-8000-000000000077',
  customer_uuid: `0192aaaa-0000-7000-8000-00000000020${index}`,
  fraud_type: 'unauthorized_use_of_card',
  is_actionable: true,
  is_disputed: false,
  total_usd_cents: '8415',
  token_amount: '500000000',
  returned_token_amount: '0',
  created_at: inHours(-7 * index),
  ...more,
});

const warnings = (): Warning[] => [
  warning(1),
  warning(2, { fraud_type: 'made_with_stolen_card', total_usd_cents: '128040' }),
];

const pastWarnings = (): Warning[] => [
  warning(3, { is_actionable: false, returned_token_amount: '500000000' }),
  warning(4, { is_actionable: false, is_disputed: true, fraud_type: 'made_with_lost_card' }),
  warning(5, { is_actionable: false, fraud_type: 'misc' }),
];

const listed = <Item>(items: Item[]) => ({
  items,
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

type Voidable = ConsoleAnswerOf<'voidable'>;

/** Purchases made with the disputed money, two of them. */
export const voidable = (more: Partial<Voidable> = {}): Voidable => ({
  owed_token_amount: '415850000',
  lines: [
    {
      purchase_id: 9123,
      line: 1,
      title: 'Night at the Harbour Stage, front row with a drink',
      purchased_at: inHours(-24 * 6.5),
      price: '198000000',
      open_count: 2,
      proposed_count: 2,
    },
    {
      purchase_id: 9118,
      line: 0,
      title: 'Amber Fizz, 0.33 l',
      purchased_at: inHours(-24 * 7),
      price: '32000000',
      open_count: 4,
      proposed_count: 1,
    },
    {
      purchase_id: 9118,
      line: 2,
      title: 'Poster',
      purchased_at: inHours(-24 * 7),
      price: '4250000',
      open_count: 1,
      proposed_count: 0,
    },
  ],
  ...more,
});

/** A picture of a scan, 320 × 200 px. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAUAAAADIAgMAAADkatA4AAAADFBMVEX///8AAAAtak+V1bJxs6rDAAAACXBIWXMAAAsTAAALEwEAmpwYAAAAfklEQVRo3u3bMQqAMAwF0FzSS/aS7aa0g4iKLeb9McObAuEPifJyAggEAoFA4EMwLgUIBAJzgNueg+hnQOA64PnaA4FAYB7QTQECgX8Hdb3vwDoECAQCs4JuChAIBALvFB8gEAgEAoFAIBAInAnqekAgEFj8VgCBQCAQuALYAFlwa2a6R99EAAAAAElFTkSuQmCC';

export const disputeAnswers: Handlers = {
  consoleDisputes: ({ query }) => {
    const isAll = query.get('view') === 'all';
    return listed(isAll ? [...waiting(), ...decided()] : waiting());
  },
  consoleDebts: ({ query }) => listed(query.get('state') === 'closed' ? closedDebts() : debts()),
  consoleDebt: () => debt(1),
  writeOffDebt: () => ({
    outcome: 'requested',
    approval_id: '0192f0f0-0000-7000-8000-000000000009',
    expires_at: inHours(72),
    votes_needed: 1,
  }),
  consoleWarnings: ({ query }) => {
    const isAll = query.get('view') === 'all';
    return listed(isAll ? [...warnings(), ...pastWarnings()] : warnings());
  },
  consoleDispute: () => dispute(),
  voidable: () => voidable(),
  evidenceFile: ({ params }) => {
    const found = dispute().files.find(({ field }) => field === params['field']);
    return {
      field: 'receipt',
      name: found?.name ?? '',
      type: found?.type ?? 'image/png',
      base64: PNG,
    };
  },
  saveEvidence: () => ({ version: 5 }),
  addEvidenceFile: () => ({ version: 5 }),
  submitEvidence: () => ({ version: 5 }),
  acceptDispute: () => ({ outcome: 'done' }),
};
