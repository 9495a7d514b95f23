/**
 * The ledger accounts and their ids. Ids are computed, not looked up: user u holds asset number n in account u * 8 + n, and the
 * programme's accounts have negative ids. So no request needs a query for an account id, and the sign tells users and programme
 * apart. Migrations 0001, 0020 and 0105 use the same numbers; a test compares both.
 */
import { sql, type RawBuilder } from 'kysely';
import { TOKEN_ASSETS, type Asset, type TokenAsset } from '@athos/domain/money';

declare const idOf: unique symbol;
/** A row of `ledger_accounts`: one balance in one asset. A person is a user. */
export type LedgerAccountId = bigint & { readonly [idOf]: 'ledger account' };

const ASSET_NUMBERS = { ATH: 0n, ATH2: 1n, ATH3: 2n, USD: 3n } as const satisfies Record<
  Asset,
  bigint
>;
const ASSETS: readonly Asset[] = [...TOKEN_ASSETS, 'USD'];
/** Leaves room for 8 assets per holder without renumbering. */
const ASSET_SLOTS = 8n;

/**
 * The accounts of the programme; their numbers are given out once (docs/ledger.md, "Numbers"). Value enters from outside through
 * `issuance` and `card_provider`, whose balances are the negated sum of what came in. `write_off` and the accounts of card money
 * from `provider_fees` on may be below 0 too: they hold costs and money that is elsewhere. All others have floor 0.
 */
const SYSTEM_NUMBERS = {
  /** The only source of new tokens. */
  issuance: 1n,
  /** Receives what customers spend in the shop. */
  merchant: 2n,
  /** Receives the balances of deleted accounts (D-106). */
  breakage: 3n,
  /** Card money received by the provider. */
  card_provider: 4n,
  /** Card money owed for tokens: the price without fees. */
  token_sales: 5n,
  /** The programme's own fee (5 %). */
  programme_fee: 6n,
  /** The card processing fee (6 %). */
  processing_fee: 7n,
  /** Value on its way from one customer to another. */
  in_transit: 8n,
  /** Value held while a request of staff waits for its approval. */
  holds: 9n,
  /** Tokens of a disputed card order. */
  dispute_hold: 10n,
  /** The budget for credits by staff, in ATH alone. */
  goodwill: 11n,
  /** Value that staff debited. */
  adjustments: 12n,
  /** Debts given up. */
  write_off: 13n,
  /** The fees that the card provider charges for payments. */
  provider_fees: 14n,
  /** Card money that the provider withdrew for a dispute. */
  disputed: 15n,
  /** The fees that the card provider charges for disputes. */
  dispute_fees: 16n,
  /** The cost of lost disputes, less the repaid debts. */
  chargeback_loss: 17n,
  /** Card refunds at the programme's own cost. */
  refund_cost: 18n,
  /** Card money paid out to the programme's bank. */
  bank: 19n,
  /** Card money whose reason is not known yet. */
  suspense: 20n,
  /** Payouts to merchants with an account of their own, in ATH alone. */
  merchant_settled: 21n,
} as const;

export type SystemAccount = keyof typeof SYSTEM_NUMBERS;

const id = (value: bigint): LedgerAccountId => value as LedgerAccountId;

/** The account of a user in an asset. It exists once `openAccounts` is committed. */
export const userAccountId = (userId: bigint, asset: TokenAsset): LedgerAccountId =>
  id(userId * ASSET_SLOTS + ASSET_NUMBERS[asset]);

/** Like `userAccountId`, for a user id in a column of a query. */
export const userAccountIdOf = (
  userId: RawBuilder<unknown>,
  asset: TokenAsset,
): RawBuilder<unknown> =>
  sql`(${userId} * ${sql.lit(ASSET_SLOTS)} + ${sql.lit(ASSET_NUMBERS[asset])})`;

/** An account of the programme in an asset. Migrations create all of them. */
export const systemAccountId = (name: SystemAccount, asset: Asset): LedgerAccountId =>
  id(ASSET_NUMBERS[asset] - SYSTEM_NUMBERS[name] * ASSET_SLOTS);

/** Smaller numbers are reserved for accounts of the programme. */
const CAMPAIGN_NUMBER_FIRST = 1_000n;
/** Greater than every campaign id, since ids of campaigns are 32-bit columns. */
const MERCHANT_NUMBER_FIRST = 2n ** 32n;

/** The account with the budget of a reward campaign, in ATH. It exists once `openCampaignAccount` is committed. */
export const campaignAccountId = (campaignId: number): LedgerAccountId =>
  id(ASSET_NUMBERS.ATH - (CAMPAIGN_NUMBER_FIRST + BigInt(campaignId)) * ASSET_SLOTS);

/** The account of a merchant's sales, in ATH. It exists once `openMerchantAccount` is committed. */
export const merchantAccountId = (merchantId: number): LedgerAccountId =>
  id(ASSET_NUMBERS.ATH - (MERCHANT_NUMBER_FIRST + BigInt(merchantId)) * ASSET_SLOTS);

const numberOf = (accountId: LedgerAccountId): bigint =>
  (ASSET_NUMBERS[assetOfAccount(accountId)] - accountId) / ASSET_SLOTS;

/** Whether a claw-back may leave the account below 0: true for users, and for merchants, who may have been paid out. */
export const mayOwe = (accountId: LedgerAccountId): boolean =>
  accountId > 0n || numberOf(accountId) > MERCHANT_NUMBER_FIRST;

/** The campaign whose budget the account holds; `undefined` for any other account. */
export function campaignIdOfAccount(accountId: LedgerAccountId): number | undefined {
  const [, campaignId] = /^campaign_(\d+)$/.exec(accountCode(accountId) ?? '') ?? [];
  return campaignId === undefined ? undefined : parseInt(campaignId, 10);
}

/** The name of an account of the programme, such as `merchant`, `campaign_7` or `merchant_3`; `undefined` for a user's account. */
export function accountCode(accountId: LedgerAccountId): string | undefined {
  if (accountId > 0n) return undefined;
  const number = numberOf(accountId);
  if (number > MERCHANT_NUMBER_FIRST) return `merchant_${number - MERCHANT_NUMBER_FIRST}`;
  const names = Object.entries(SYSTEM_NUMBERS);
  const [name] = names.find(([, systemNumber]) => systemNumber === number) ?? [];
  return name ?? `campaign_${number - CAMPAIGN_NUMBER_FIRST}`;
}

/** The user who owns the account; `undefined` for an account of the programme. */
export const userIdOfAccount = (accountId: LedgerAccountId): bigint | undefined =>
  accountId > 0n ? accountId / ASSET_SLOTS : undefined;

export function assetOfAccount(accountId: LedgerAccountId): Asset {
  const number = accountId & (ASSET_SLOTS - 1n);
  const asset = ASSETS.find((candidate) => ASSET_NUMBERS[candidate] === number);
  if (asset === undefined) throw new RangeError(`no asset has the number ${number}`);
  return asset;
}
