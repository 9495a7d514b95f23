/** The ledger, as shown to bookkeepers. Amounts are raw units of their asset, ids are decimal text. */
import { z } from 'zod';
import { isUuid } from '@athos/domain/uuid';
import { timeText, unitsText, uuidText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';
import { listOf, pageQuery } from './lists.ts';

export const LEDGER_ASSETS = ['ATH', 'ATH2', 'ATH3', 'USD'] as const;
const asset = z.enum(LEDGER_ASSETS);

/** Ids of accounts and transfers exceed what a JSON number holds exactly. The programme's accounts have negative ids. */
const accountIdText = z.string().regex(/^-?[1-9]\d{0,17}$/);
const transferIdText = z.string().regex(/^[1-9]\d{0,17}$/);

/** Kinds by number (docs/ledger.md, "Numbers"). */
export const TRANSFER_KIND_NAMES = {
  send: 1,
  card_credit: 2,
  purchase: 3,
  tip: 4,
  reward: 5,
  seed: 6,
  forfeit: 7,
  card_money: 8,
  card_fee: 9,
  refund: 10,
  chargeback: 11,
  adjustment: 12,
  reward_budget: 13,
  send_held: 14,
  send_posted: 15,
  send_returned: 16,
  hold: 17,
  release: 18,
  write_off: 19,
  provider_fee: 20,
  payout: 21,
  purchase_refund: 22,
  goodwill: 23,
  recovery: 24,
  booking: 25,
  budget_return: 26,
  settlement: 27,
} as const;
export type TransferKindName = keyof typeof TRANSFER_KIND_NAMES;
const kindName = z.enum(Object.keys(TRANSFER_KIND_NAMES) as [TransferKindName]);
/** `other`: a kind that this build does not know. */
export const shownKind = z.union([kindName, z.literal('other')]);

const ACCOUNT_STATES = ['open', 'restricted', 'frozen', 'closed', 'held'] as const;

/** One side of a transfer: an account of the programme by its name, or a customer's by the customer's uuid. */
const accountName = z.object({
  id: accountIdText,
  asset,
  /** `null` for a customer's account. */
  code: z.string().nullable(),
  /** `null` for an account of the programme. */
  customer_uuid: z.string().nullable(),
});

const ledgerAccount = accountName
  .extend({
    balance: unitsText,
    /** The balance never falls below it. */
    floor: unitsText,
    state: z.enum(ACCOUNT_STATES),
    last_transfer_id: transferIdText.nullable(),
  })
  .meta({ id: 'LedgerAccount' });

const ledgerTransfer = z
  .object({
    id: transferIdText,
    at: timeText,
    kind: shownKind,
    amount: unitsText,
    debit: accountName,
    credit: accountName,
    debit_after: unitsText,
    credit_after: unitsText,
    key: z.string(),
    line: z.int(),
    /** The object that caused it, such as a purchase or a card order. */
    object: z.object({ type: z.string(), id: z.string() }).nullable(),
  })
  .meta({ id: 'LedgerTransfer' });

/** Forty keys: an order, its refunds and the provider's bookings for it. */
const KEYS_LENGTH_MAX = 40 * 37;

/** The filters of the journal. */
export const transferFilters = {
  /** Everything posted under a key, or under several, separated by commas. Other filters are then ignored. */
  key: z
    .string()
    .max(KEYS_LENGTH_MAX)
    .refine((text) => text.split(',').every(isUuid), 'must be a UUID, or several')
    .transform((text) => text.toLowerCase())
    .optional(),
  account_id: accountIdText.optional(),
  kind: kindName.optional(),
  amount_min: z
    .string()
    .regex(/^\d{1,16}$/)
    .optional(),
  amount_max: z
    .string()
    .regex(/^\d{1,16}$/)
    .optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
};

const transfersQuery = z.object({ ...pageQuery, ...transferFilters });

const VERIFICATION_STATES = ['waiting', 'running', 'right', 'wrong', 'failed'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

const verification = z
  .object({
    id: z.string(),
    state: z.enum(VERIFICATION_STATES),
    /** Whether it begins at the first row. The nightly ones begin at the newest checkpoint. */
    is_whole: z.boolean(),
    requested_at: timeText,
    /** `null` if the verification was started automatically. */
    requested_by: z.string().nullable(),
    finished_at: timeText.nullable(),
    transfers_done: z.int(),
    /** An estimate of the total number. */
    transfers_total: z.int(),
    account_count: z.int().nullable(),
    /** The last verified hash. */
    head: z.string().nullable(),
    /** The first wrong row, such as `transfer 1024`, and the fault. */
    fault: z.object({ row: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: 'LedgerVerification' });

const seal = z
  .object({
    day: z.iso.date(),
    sealed_at: timeText,
    /** The hash to pass to `npm run ledger:verify -- --head`. */
    books_head: z.string(),
    /** The hash to pass to `npm run audit:verify -- --head`. */
    audit_head: z.string(),
    audit_entry_count: z.int(),
    /** The trial balance. Accounts with a zero balance are left out; campaigns are one sum, and merchants another. */
    assets: z.array(
      z.object({
        asset,
        accounts: z.array(z.object({ code: z.string(), balance: unitsText })),
        customers: unitsText,
        sum: unitsText,
      }),
    ),
    /** The newest reconciliation of card money; `null` before the first one. */
    reconciliation: z.object({ day: z.iso.date(), is_agreed: z.boolean() }).nullable(),
    /** `null` while the mail waits, and if no address is configured. */
    mailed_at: timeText.nullable(),
  })
  .meta({ id: 'LedgerSeal' });

export const ledgerCalls = {
  ledgerAccounts: {
    method: 'GET',
    path: '/admin/ledger/accounts',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'The accounts of the programme',
    answer: z.object({
      items: z.array(ledgerAccount),
      /** Customers' debts: the number of accounts with a negative balance, and the sum of these balances. */
      debts: z.array(z.object({ asset, count: z.int(), balance: unitsText })),
    }),
  },
  ledgerAccount: {
    method: 'GET',
    path: '/admin/ledger/accounts/:id',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'One account; its movements are transfers with `account_id`',
    params: z.object({ id: accountIdText }),
    answer: ledgerAccount,
  },
  ledgerTransfers: {
    method: 'GET',
    path: '/admin/ledger/transfers',
    auth: 'console',
    permission: 'ledger.read',
    limit: 'search',
    summary: 'The journal, newest first',
    query: transfersQuery,
    answer: listOf(ledgerTransfer).extend({
      /** Set if the row limit ended the page early: every row since this time was read. */
      looked_until: timeText.nullable(),
    }),
  },
  ledgerTransfer: {
    method: 'GET',
    path: '/admin/ledger/transfers/:id',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'One transfer',
    params: z.object({ id: transferIdText }),
    answer: ledgerTransfer,
  },
  trialBalance: {
    method: 'GET',
    path: '/admin/ledger/trial-balance',
    auth: 'console',
    permission: 'ledger.read',
    summary:
      'What every account of the programme, and all customers together, held at the end of a day',
    query: z.object({ day: z.iso.date() }),
    answer: z.object({
      /** The end of the day, exclusive. */
      until: timeText,
      assets: z.array(
        z.object({
          asset,
          accounts: z.array(z.object({ id: accountIdText, code: z.string(), balance: unitsText })),
          customers: unitsText,
          /** 0 unless a row of the journal is wrong: its two parts are computed from different figures. */
          sum: unitsText,
        }),
      ),
    }),
  },
  ledgerChain: {
    method: 'GET',
    path: '/admin/ledger/chain',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'The head of the hash chain, and the newest verifications',
    answer: z.object({
      head: z.string(),
      posted_at: timeText.nullable(),
      verifications: z.array(verification),
    }),
  },
  ledgerSeals: {
    method: 'GET',
    path: '/admin/ledger/seals',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'Where ledger and audit ended each day, newest first',
    query: z.object(pageQuery),
    answer: listOf(seal),
  },
  verifyLedger: {
    method: 'POST',
    path: '/admin/ledger/verifications',
    auth: 'console',
    permission: 'ledger.verify',
    audit: { action: 'ledger.verify', subject: 'ledger' },
    summary:
      'Verify the whole ledger from the first row in the background. Returns the running verification of this kind if there is one',
    answer: verification,
  },
  ledgerVerification: {
    method: 'GET',
    path: '/admin/ledger/verifications/:id',
    auth: 'console',
    permission: 'ledger.read',
    summary: 'The progress or the result of a verification',
    params: z.object({ id: uuidText }),
    answer: verification,
  },
} as const satisfies ConsoleCalls;
