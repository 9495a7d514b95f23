/**
 * Money is whole numbers. Token amounts are micro-units, card money is US cents, offer prices are hundredths of an ATH.
 * The brands make mixing them a type error; text becomes money, and money text, only through the functions of this file.
 */

declare const unit: unique symbol;

export const TOKEN_ASSETS = ['ATH', 'ATH2', 'ATH3'] as const;
export type TokenAsset = (typeof TOKEN_ASSETS)[number];
/** What the ledger keeps accounts in. */
export type Asset = TokenAsset | 'USD';

/** An amount in the smallest unit of an asset: micro-units of a token, cents of USD. Bare `Units` are of an asset not known to the type. */
export type Units<A extends Asset = Asset> = bigint & { readonly [unit]: A };
/** Micro-units of some token: 1 token = 1,000,000. */
export type TokenUnits = Units<TokenAsset>;
/** Micro-ATH: 1 ATH = 1,000,000 (spec 3). */
export type MicroAth = Units<'ATH'>;
/** US cents. */
export type UsdCents = Units<'USD'>;
/** Hundredths of an ATH, the `amount_cents` of the wire. Not US cents. */
export type AthHundredths = number & { readonly [unit]: 'ath hundredths' };
/** USD per ATH, scaled by 10^8. */
export type Rate = bigint & { readonly [unit]: 'usd per ath, 1e-8' };

/** Spec 9: the balance scale is 1,000,000 per unit. */
export const MICRO_PER_TOKEN = 1_000_000n;
/** Micro-units shown as one hundredth of a token. */
const MICRO_PER_HUNDREDTH = 10_000n;
/** Largest amount of one transfer: 10^9 tokens, far above any real one and far below the range of bigint in the database. */
export const TRANSFER_MICRO_MAX = 1_000_000_000_000_000n;
const RATE_SCALE_DIGITS = 8;
/** Spec 9: shown when no rate is known. For display only: nothing is bought at it. */
export const FALLBACK_USD_PER_ATH = 16_830_000n as Rate;

/** Zero tokens. */
export const NO_UNITS = 0n as TokenUnits;

export const microAth = (value: bigint): MicroAth => value as MicroAth;
/** Units of an asset that only the caller's surroundings tell, such as the account that holds them. */
export const units = (value: bigint): Units => value as Units;
export const tokenUnits = (value: bigint): TokenUnits => value as TokenUnits;
export const usdCents = (value: bigint): UsdCents => value as UsdCents;
export const athHundredths = (value: number): AthHundredths => value as AthHundredths;

export const addMicroAth = (left: MicroAth, right: MicroAth): MicroAth => microAth(left + right);
export const subtractMicroAth = (left: MicroAth, right: MicroAth): MicroAth =>
  microAth(left - right);

/** An offer price in micro-ATH: the one place where hundredths become micro-units. */
export const microAthFromHundredths = (price: AthHundredths): MicroAth =>
  microAth(BigInt(price) * MICRO_PER_HUNDREDTH);

/** What `count` items cost together: a line of a cart. Exact for prices below 2^31 and the counts of a cart. */
export const priceOfItems = (price: AthHundredths, count: number): AthHundredths =>
  athHundredths(price * count);

/** An amount in hundredths of an ATH; `undefined` where it is not a whole number of them. */
export const wholeHundredths = (amount: TokenUnits): AthHundredths | undefined =>
  amount % MICRO_PER_HUNDREDTH === 0n
    ? athHundredths(parseInt((amount / MICRO_PER_HUNDREDTH).toString(), 10))
    : undefined;

/** Whole decimal digits, optionally negative, as the wire carries token amounts. Throws RangeError on anything else. */
export function parseUnits(text: string): TokenUnits {
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`not a whole number of units: ${text}`);
  return tokenUnits(BigInt(text));
}

const AMOUNT_PATTERN = /^(\d{0,12})(?:\.(\d*))?$/;

/**
 * An amount typed by a person, such as `12.5`, in micro-units, rounded half up to whole ones (spec 3).
 * `undefined` for text that is not a number or is empty.
 */
export function parseAth(text: string): MicroAth | undefined {
  const match = AMOUNT_PATTERN.exec(text.trim());
  if (match === null) return undefined;
  const [, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = fraction.padEnd(7, '0');
  const micro = BigInt(whole === '' ? '0' : whole) * MICRO_PER_TOKEN + BigInt(digits.slice(0, 6));
  return microAth(digits.charAt(6) >= '5' ? micro + 1n : micro);
}

/** The shortest exact text of an amount, for an input field: `12.5`, never rounded. */
export function exactAthText(amount: TokenUnits): string {
  const sign = amount < 0n ? '-' : '';
  const magnitude = amount < 0n ? 0n - amount : amount;
  const fraction = (magnitude % MICRO_PER_TOKEN).toString().padStart(6, '0').replace(/0+$/, '');
  const whole = (magnitude / MICRO_PER_TOKEN).toString();
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

function formatHundredths(hundredths: bigint): string {
  const sign = hundredths < 0n ? '-' : '';
  const magnitude = hundredths < 0n ? -hundredths : hundredths;
  return `${sign}${grouped((magnitude / 100n).toString())}.${(magnitude % 100n).toString().padStart(2, '0')}`;
}

function ceilDivide(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator > 0n ? quotient + 1n : quotient;
}

/** Half up, away from zero only for positive numerators; amounts of money here never are negative. */
export function divideRoundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Whether the two decimals shown are not the whole truth. */
export const isShownRounded = (amount: TokenUnits): boolean => amount % MICRO_PER_HUNDREDTH !== 0n;

/** Two decimals, en-US, rounded up (spec 9): a shown balance may exceed the spendable one by less than 0.01. */
export function formatAthRoundedUp(amount: TokenUnits): string {
  return formatHundredths(ceilDivide(amount, MICRO_PER_HUNDREDTH));
}

/** Every decimal, at least two: `1,234.56789`. For the places where a rounded amount would mislead. */
export function formatAthExact(amount: TokenUnits): string {
  const [whole = '', fraction = ''] = exactAthText(amount).split('.');
  return `${grouped(whole)}.${fraction.padEnd(2, '0')}`;
}

/** `$1,234.56`. */
export function formatUsd(amount: UsdCents): string {
  return amount < 0n ? `-$${formatHundredths(0n - amount)}` : `$${formatHundredths(amount)}`;
}

/** `~$84.15`, `~$1.2K`, `~$3.45M` (spec 9): approximate USD of a balance, shorthand from 1,000 and 1,000,000. */
export function formatApproximateUsd(amount: UsdCents): string {
  const dollars = amount / 100n;
  if (dollars >= 1_000_000n) return `~$${shorthand(amount, 1_000_000n)}M`;
  if (dollars >= 1_000n) return `~$${shorthand(amount, 1_000n)}K`;
  return `~${formatUsd(amount)}`;
}

/** At most 2 decimals, rounded down so that 999,999 stays 999.99K. */
function shorthand(amountCents: bigint, scale: bigint): string {
  const hundredths = amountCents / scale;
  const fraction = (hundredths % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  const whole = grouped((hundredths / 100n).toString());
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** A rate from its decimal text or from the wire's JSON number; `undefined` unless positive, finite and of at most 8 decimals. */
export function parseRate(value: string | number): Rate | undefined {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(
    typeof value === 'number' ? plainDecimal(value) : value,
  );
  if (match === null) return undefined;
  const [, whole = '0', fraction = ''] = match;
  if (fraction.replace(/0+$/, '').length > RATE_SCALE_DIGITS) return undefined;
  const scaled = BigInt(
    whole + fraction.padEnd(RATE_SCALE_DIGITS, '0').slice(0, RATE_SCALE_DIGITS),
  );
  return scaled > 0n ? (scaled as Rate) : undefined;
}

/** JSON numbers below 1e-6 print with an exponent; a rate of 8 decimals must not. */
function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, lead = '', rest = '', exponent = '0'] = match;
  return `0.${'0'.repeat(parseInt(exponent, 10) - 1)}${lead}${rest}`;
}

/** `0.1683`: the decimal text of a rate, without trailing zeros. */
export function rateText(rate: Rate): string {
  const digits = rate.toString().padStart(RATE_SCALE_DIGITS + 1, '0');
  const fraction = digits.slice(-RATE_SCALE_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -RATE_SCALE_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The value of tokens in US cents, half up: (T x R + 5 x 10^11) div 10^12. */
export function usdOfTokens(amount: MicroAth, usdPerAth: Rate): UsdCents {
  return usdCents(divideRoundHalfUp(amount * usdPerAth, 1_000_000_000_000n));
}

/** Dollars as a JSON number (the payment-intent request, spec 7) in cents; `undefined` unless whole cents, not negative, at most 10^12. */
export function parseUsdNumber(dollars: number): UsdCents | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(String(dollars));
  if (match === null) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return usdCents(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0')));
}

/** Cents as dollars for the wire. Exact for every amount up to the limits of spec 9. */
export const usdNumber = (amount: UsdCents): number => parseInt(amount.toString(), 10) / 100;

/** Cents as a whole JSON number. Exact for every amount up to the limits of spec 9. */
export const centsNumber = (amount: UsdCents): number => parseInt(amount.toString(), 10);

/** A rate as the JSON number of the wire. Exact up to 90,000,000 USD per ATH. */
export const rateNumber = (rate: Rate): number =>
  parseInt(rate.toString(), 10) / 10 ** RATE_SCALE_DIGITS;
