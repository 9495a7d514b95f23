/**
 * Reward codes: 15 random symbols and a check symbol in Crockford's base 32, which omits I, L, O and U. The check symbol is
 * ours, because Crockford's own is modulo 37 and needs five more symbols (decision 0009).
 */

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_SYMBOL_COUNT = 15;
const GROUP_LENGTH = 4;
/** Longer than any spelling of a code. Longer text is refused unread. */
const TEXT_LENGTH_MAX = 100;

declare const kind: unique symbol;
/** 16 upper-case symbols without separators, with a valid check symbol. */
export type RewardCode = string & { readonly [kind]: 'reward code' };

/** Multiplies by x in GF(32), modulo the primitive polynomial x^5 + x^2 + 1. */
const timesX = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

/**
 * Each symbol is weighted with a different power of x, the check symbol with 1. The weights are distinct and not zero, so every
 * single wrong symbol and every transposition changes the sum.
 */
const checkValue = (values: readonly number[]): number =>
  values.reduce((sum, value) => timesX(sum ^ value), 0);

function withCheckSymbol(values: readonly number[]): RewardCode {
  const all = [...values, checkValue(values)];
  return all.map((value) => SYMBOLS.charAt(value)).join('') as RewardCode;
}

/** A new code from 75 random bits. `random` fills the given bytes, like `crypto.getRandomValues`. */
export function drawRewardCode(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): RewardCode {
  const bytes = random(new Uint8Array(RANDOM_SYMBOL_COUNT));
  return withCheckSymbol(Array.from(bytes, (byte) => byte % SYMBOLS.length));
}

/**
 * Reads a code that was typed or that a link carries, in either case, with spaces and dashes anywhere, with O for 0 and I or L
 * for 1. `undefined` if the text cannot be a code.
 */
export function readRewardCode(text: string): RewardCode | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const symbols = text.replace(/[\s\p{Pd}]/gu, '');
  // Checked before the case is changed: toUpperCase turns some other letters into ASCII.
  if (!/^[0-9A-Za-z]{16}$/.test(symbols)) return undefined;
  const canonical = symbols.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  const values = Array.from(canonical, (symbol) => SYMBOLS.indexOf(symbol));
  if (values.includes(-1)) return undefined;
  const code = withCheckSymbol(values.slice(0, RANDOM_SYMBOL_COUNT));
  return code === canonical ? code : undefined;
}

/** Reads the code in typed, pasted or scanned text: a code, or a link that carries one as `code`. */
export function rewardCodeOfText(text: string): RewardCode | undefined {
  const [, inLink] = /[?&]code=([^&#\s]+)/.exec(text) ?? [];
  return readRewardCode(inLink === undefined ? text : inLink.replace(/\+|%20/g, ' '));
}

/** The printed form: `ABCD-EFGH-JKMN-PQRS`. */
export const formatRewardCode = (code: RewardCode): string =>
  (code.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
