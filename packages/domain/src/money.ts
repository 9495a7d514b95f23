/**
 * Money is a whole number of units: micro-units of a token, US cents, hundredths of an ATH for offer prices. Branded types make
 * mixing them a compile error. Only this file converts between money and text.
 */

declare const unit: unique symbol;

export const TOKEN_ASSETS = ['ATH', 'ATH2', 'ATH3'] as const;
export type TokenAsset = (typeof TOKEN_ASSETS)[number];
/** Assets of the ledger. */
export type Asset = TokenAsset | 'USD';

/** An amount in the smallest unit of an asset: micro-units of a token, US cents. The asset of bare `Units` is not known at compile time. */
export type Units<A extends Asset = Asset> = bigint & { readonly [unit]: A };
/** Micro-units of any token: 1 token = 1,000,000. */
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
/** Largest amount of one transfer: 10^9 tokens. Far above real amounts and far below the range of the bigint column. */
export const TRANSFER_MICRO_MAX = 1_000_000_000_000_000n;
const RATE_SCALE_DIGITS = 8;
/** Spec 9: shown while no rate is known. Display only (D-148). */
export const FALLBACK_USD_PER_ATH = 16_830_000n as Rate;

/** Zero tokens. */
export const NO_UNITS = 0n as TokenUnits;

export const microAth = (value: bigint): MicroAth => value as MicroAth;
/** Units whose asset is known only from context, such as the ledger account that holds them. */
export const units = (value: bigint): Units => value as Units;
export const tokenUnits = (value: bigint): TokenUnits => value as TokenUnits;
export const usdCents = (value: bigint): UsdCents => value as UsdCents;
export const athHundredths = (value: number): AthHundredths => value as AthHundredths;

export const addMicroAth = (left: MicroAth, right: MicroAth): MicroAth => microAth(left + right);
export const subtractMicroAth = (left: MicroAth, right: MicroAth): MicroAth =>
  microAth(left - right);

/** The amount that a balance lacks for a price; `undefined` if it covers it. */
export const missingOf = (balance: MicroAth, price: MicroAth): MicroAth | undefined =>
  price > balance ? subtractMicroAth(price, balance) : undefined;

/** An offer price in micro-ATH. The only conversion from hundredths to micro-units. */
export const microAthFromHundredths = (price: AthHundredths): MicroAth =>
  microAth(BigInt(price) * MICRO_PER_HUNDREDTH);

/** The price of a cart line. Exact for prices below 2^31 and the counts of a cart. */
export const priceOfItems = (price: AthHundredths, count: number): AthHundredths =>
  athHundredths(price * count);

/** An amount in hundredths of an ATH; `undefined` if it is not a whole number of them. */
export const wholeHundredths = (amount: TokenUnits): AthHundredths | undefined =>
  amount % MICRO_PER_HUNDREDTH === 0n
    ? athHundredths(parseInt((amount / MICRO_PER_HUNDREDTH).toString(), 10))
    : undefined;

/** Parses a token amount of the wire: decimal digits with an optional minus. Throws RangeError on anything else. */
export function parseUnits(text: string): TokenUnits {
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`not a whole number of units: ${text}`);
  return tokenUnits(BigInt(text));
}

const AMOUNT_PATTERN = /^(\d{0,12})(?:\.(\d*))?$/;

/**
 * Parses an amount that a person typed, such as `12.5`, into micro-units, rounded half up (spec 3). `undefined` for empty text
 * and for text that is not a number.
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

/** Parses an amount of any asset that a person typed, into its smallest unit. `undefined` for text that is not a number. */
export function parseAmount(text: string, asset: Asset): Units | undefined {
  const micro = parseAth(text);
  if (micro === undefined) return undefined;
  return asset === 'USD' ? units(divideRoundHalfUp(micro, MICRO_PER_HUNDREDTH)) : units(micro);
}

/** The shortest exact text of an amount, for input fields: `12.5`. */
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

/** Rounds towards positive infinity. */
export function divideRoundUp(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator > 0n ? quotient + 1n : quotient;
}

/** Rounds half up. For non-negative numerators only. */
export function divideRoundHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Whether two decimals do not show the exact amount. */
export const isShownRounded = (amount: TokenUnits): boolean => amount % MICRO_PER_HUNDREDTH !== 0n;

/** Two decimals, en-US, rounded up (spec 9): a shown balance may exceed the spendable one by less than 0.01. */
export function formatAthRoundedUp(amount: TokenUnits): string {
  return formatHundredths(divideRoundUp(amount, MICRO_PER_HUNDREDTH));
}

/** All decimals, at least two: `1,234.56789`. Used where a rounded amount would mislead. */
export function formatAthExact(amount: TokenUnits): string {
  const [whole = '', fraction = ''] = exactAthText(amount).split('.');
  return `${grouped(whole)}.${fraction.padEnd(2, '0')}`;
}

/** `$1,234.56`. */
export function formatUsd(amount: UsdCents): string {
  return amount < 0n ? `-$${formatHundredths(0n - amount)}` : `$${formatHundredths(amount)}`;
}

/** Approximate USD of a balance, with K from 1,000 and M from 1,000,000: `~$84.15`, `~$1.2K`, `~$3.45M` (spec 9). */
export function formatApproximateUsd(amount: UsdCents): string {
  const dollars = amount / 100n;
  if (dollars >= 1_000_000n) return `~$${shorthand(amount, 1_000_000n)}M`;
  if (dollars >= 1_000n) return `~$${shorthand(amount, 1_000n)}K`;
  return `~${formatUsd(amount)}`;
}

/** At most 2 decimals, rounded down so that 999,999 becomes 999.99K. */
function shorthand(amountCents: bigint, scale: bigint): string {
  const hundredths = amountCents / scale;
  const fraction = (hundredths % 100n).toString().padStart(2, '0').replace(/0+$/, '');
  const whole = grouped((hundredths / 100n).toString());
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Parses a rate from decimal text or a JSON number. `undefined` unless positive, finite, and with at most 8 decimals. */
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

/** Numbers below 1e-6 print with an exponent; this prints them without. */
function plainDecimal(value: number): string {
  const text = String(value);
  const match = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (match === null) return text;
  const [, lead = '', rest = '', exponent = '0'] = match;
  return `0.${'0'.repeat(parseInt(exponent, 10) - 1)}${lead}${rest}`;
}

/** The decimal text of a rate, without trailing zeros: `0.1683`. */
export function rateText(rate: Rate): string {
  const digits = rate.toString().padStart(RATE_SCALE_DIGITS + 1, '0');
  const fraction = digits.slice(-RATE_SCALE_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -RATE_SCALE_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The value of ATH in US cents, rounded half up: (T x R + 5 x 10^11) div 10^12. */
export function usdOfTokens(amount: MicroAth, usdPerAth: Rate): UsdCents {
  return usdCents(divideRoundHalfUp(amount * usdPerAth, 1_000_000_000_000n));
}

/** The value of ATH in US cents, rounded up, for limits: many small amounts must count for at least their combined value. */
export const usdOfTokensRoundedUp = (amount: MicroAth, usdPerAth: Rate): UsdCents =>
  usdCents(divideRoundUp(amount * usdPerAth, 1_000_000_000_000n));

/** Converts dollars of the payment-intent request (spec 7) to cents. `undefined` unless whole cents from 0 to 10^12. */
export function parseUsdNumber(dollars: number): UsdCents | undefined {
  const match = /^(\d{1,10})(?:\.(\d{1,2}))?$/.exec(String(dollars));
  if (match === null) return undefined;
  const [, whole = '0', fraction = ''] = match;
  return usdCents(BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0')));
}

/** Cents as dollars for the wire. Exact within the limits of spec 9. */
export const usdNumber = (amount: UsdCents): number => parseInt(amount.toString(), 10) / 100;

/** Cents as a JSON number. Exact within the limits of spec 9. */
export const centsNumber = (amount: UsdCents): number => parseInt(amount.toString(), 10);

/** A rate as a JSON number. Exact up to 90,000,000 USD per ATH. */
export const rateNumber = (rate: Rate): number =>
  parseInt(rate.toString(), 10) / 10 ** RATE_SCALE_DIGITS;
