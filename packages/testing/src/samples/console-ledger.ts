/** The books, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Account = ConsoleAnswerOf<'ledgerAccount'>;
type Transfer = ConsoleAnswerOf<'ledgerTransfer'>;
type Verification = ConsoleAnswerOf<'ledgerVerification'>;

const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const FLOORLESS = '-9000000000000000000';
const HEAD = '7c0f3b9d52e1c6a84f10de2b95a3c7716e08d4fb29c15a603e8f7b1d94c2a056';
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const account = (
  id: string,
  asset: Account['asset'],
  code: string,
  more: Partial<Account> = {},
): Account => ({
  id,
  asset,
  code,
  customer_uuid: null,
  balance: '0',
  floor: '0',
  state: 'open',
  last_transfer_id: null,
  ...more,
});

const ACCOUNTS: readonly Account[] = [
  account('-8', 'ATH', 'issuance', { balance: '-1284503250000', floor: FLOORLESS }),
  account('-16', 'ATH', 'merchant', { balance: '318204500000' }),
  account('-24', 'ATH', 'breakage', { balance: '1250340000' }),
  account('-80', 'ATH', 'holds', { balance: '320000000' }),
  account('-96', 'ATH', 'goodwill', { balance: '4880000000' }),
  account('-34359738368', 'ATH', 'campaign_1', { balance: '75000000000' }),
  account('-29', 'USD', 'card_provider', { balance: '-21618190', floor: FLOORLESS }),
  account('-37', 'USD', 'token_sales', { balance: '20171004' }),
  account('-45', 'USD', 'programme_fee', { balance: '1008551' }),
  account('-53', 'USD', 'processing_fee', { balance: '438635' }),
];

const customerSide = { id: '71234567', asset: 'ATH', code: null, customer_uuid: CUSTOMER_UUID };
const sideOf = ({ id, asset, code, customer_uuid }: Account) => ({
  id,
  asset,
  code,
  customer_uuid,
});
const merchantSide = sideOf(account('-16', 'ATH', 'merchant'));

export const ledgerTransfer = (id: number, more: Partial<Transfer> = {}): Transfer => ({
  id: String(id),
  at: minutesAgo((48_210 - id) * 3),
  kind: 'purchase',
  amount: '12500000',
  debit: customerSide as Transfer['debit'],
  credit: merchantSide,
  debit_after: '84150000',
  credit_after: '318204500000',
  key: '0192ffff-0000-7000-8000-000000048210',
  line: 0,
  object: { type: 'purchase', id: '9123' },
  ...more,
});

const issuanceSide = sideOf(account('-8', 'ATH', 'issuance'));
const KINDS: readonly Partial<Transfer>[] = [
  {},
  {
    kind: 'card_credit',
    amount: '500000000',
    debit: issuanceSide,
    credit: customerSide as Transfer['debit'],
    object: { type: 'card_order', id: '0192dddd-0000-7000-8000-000000000077' },
  },
  {
    kind: 'card_money',
    amount: '8415',
    debit: sideOf(account('-29', 'USD', 'card_provider')),
    credit: sideOf(account('-37', 'USD', 'token_sales')),
  },
  {
    kind: 'send',
    amount: '1234567',
    credit: {
      ...customerSide,
      id: '71234999',
      customer_uuid: '0192aaaa-0000-7000-8000-00000000beef',
    } as Transfer['debit'],
    object: null,
  },
];

const COUNT = 48_210;
const PAGE_COUNT = 25;

export const ledgerTransfers = (
  more: Partial<ConsoleAnswerOf<'ledgerTransfers'>> = {},
): ConsoleAnswerOf<'ledgerTransfers'> => ({
  items: Array.from({ length: PAGE_COUNT }, (_, index) =>
    ledgerTransfer(COUNT - index, KINDS[index % KINDS.length]),
  ),
  next_cursor: 'next',
  count: { value: 10_000, is_at_least: true, estimate: COUNT },
  looked_until: null,
  ...more,
});

export const verification = (more: Partial<Verification> = {}): Verification => ({
  id: '0192abcd-0000-7000-8000-000000000009',
  state: 'right',
  requested_at: minutesAgo(34),
  requested_by: 'Mara Lindqvist',
  finished_at: minutesAgo(33),
  is_whole: true,
  transfers_done: COUNT,
  transfers_total: COUNT,
  account_count: 2361,
  head: HEAD,
  fault: null,
  ...more,
});

export const ledgerChain = (
  latest: Partial<Verification> = {},
): ConsoleAnswerOf<'ledgerChain'> => ({
  head: HEAD,
  posted_at: minutesAgo(1),
  verifications: [
    verification(latest),
    verification({
      id: '0192abcd-0000-7000-8000-000000000008',
      requested_at: minutesAgo(1474),
      requested_by: null,
      is_whole: false,
      transfers_done: 47_102,
    }),
  ],
});

const DAY_MS = 86_400_000;

/** Ten days of seals. On the last one, card money does not match, and the mail is pending. */
export const ledgerSeals = (): ConsoleAnswerOf<'ledgerSeals'> => ({
  items: Array.from({ length: 7 }, (_, index) => {
    const sealedAt = new Date(Math.floor(Date.now() / DAY_MS - index) * DAY_MS + 21_000_000);
    return {
      day: sealedAt.toISOString().slice(0, 10),
      sealed_at: sealedAt.toISOString(),
      books_head: HEAD,
      audit_head: HEAD.split('').toReversed().join(''),
      audit_entry_count: 1842 - index * 61,
      assets: [
        {
          asset: 'ATH' as const,
          accounts: [{ code: 'issuance', balance: '-98321500000' }],
          customers: '98321500000',
          sum: '0',
        },
      ],
      reconciliation: { day: sealedAt.toISOString().slice(0, 10), is_agreed: index > 0 },
      mailed_at: index === 0 ? null : sealedAt.toISOString(),
    };
  }),
  next_cursor: 'next',
  count: { value: 10, is_at_least: false },
});

/** All the books, for a person who may read them. */
export const ledgerAnswers: Handlers = {
  ledgerAccounts: () => ({
    items: [...ACCOUNTS],
    debts: [{ asset: 'ATH', count: 2, balance: '-431500000' }],
  }),
  ledgerAccount: ({ params }) =>
    ACCOUNTS.find(({ id }) => id === params['id']) ??
    account(params['id'] ?? '', 'ATH', '', { code: null, customer_uuid: CUSTOMER_UUID }),
  ledgerTransfers: ({ query }) => {
    const id = query.get('account_id');
    const answer = ledgerTransfers();
    return id === null
      ? answer
      : {
          ...answer,
          items: answer.items
            .filter(({ debit, credit }) => debit.asset === 'ATH' && credit.code !== 'issuance')
            .map((transfer) => ({
              ...transfer,
              credit: { ...transfer.credit, id, code: 'merchant', customer_uuid: null },
            })),
        };
  },
  ledgerTransfer: ({ params }) => ledgerTransfer(Number(params['id'])),
  trialBalance: ({ query }) => ({
    until: `${query.get('day') ?? ''}T23:59:59.999Z`,
    assets: (['ATH', 'ATH2', 'ATH3', 'USD'] as const).map((asset) => {
      const accounts = ACCOUNTS.filter((other) => other.asset === asset);
      const own = accounts.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
      return {
        asset,
        accounts: accounts.map(({ id, code, balance }) => ({ id, code: code ?? '', balance })),
        customers: (-own).toString(),
        sum: '0',
      };
    }),
  }),
  ledgerChain: () => ledgerChain(),
  ledgerSeals: () => ledgerSeals(),
  verifyLedger: () => verification({ state: 'waiting', finished_at: null, head: null }),
};
