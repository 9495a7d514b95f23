/**
 * Reward codes: 15 random symbols and a check symbol, all of Crockford's base 32, which has no I, L, O and U. The check
 * symbol is ours: Crockford's own is modulo 37 and needs five symbols more.
 */

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_SYMBOL_COUNT = 15;
const GROUP_LENGTH = 4;
/** Longer than any way to write a code; what is longer is not looked at. */
const TEXT_LENGTH_MAX = 100;

declare const kind: unique symbol;
/** 16 symbols, upper case, without separators, whose check symbol is right. */
export type RewardCode = string & { readonly [kind]: 'reward code' };

/** Times x in the field of 32 elements, modulo the primitive polynomial x^5 + x^2 + 1. */
const timesX = (value: number): number => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

/**
 * Each symbol weighs another power of x, and the check symbol 1. As the weights are not 0 and all different, any one wrong
 * symbol and any two that changed places make another sum.
 */
const checkValue = (values: readonly number[]): number =>
  values.reduce((sum, value) => timesX(sum ^ value), 0);

function withCheckSymbol(values: readonly number[]): RewardCode {
  const all = [...values, checkValue(values)];
  return all.map((value) => SYMBOLS.charAt(value)).join('') as RewardCode;
}

/** A new code: 75 bits of `random`, which fills the bytes that it is given, as `crypto.getRandomValues` does. */
export function drawRewardCode(random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array): RewardCode {
  const bytes = random(new Uint8Array(RANDOM_SYMBOL_COUNT));
  return withCheckSymbol(Array.from(bytes, (byte) => byte % SYMBOLS.length));
}

/**
 * The code that a person typed or that a link carries, in either case, with spaces and dashes anywhere, with O for 0 and I or L
 * for 1. `undefined` for what cannot be a code.
 */
export function readRewardCode(text: string): RewardCode | undefined {
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const symbols = text.replace(/[\s\p{Pd}]/gu, '');
  // Before the case is changed: upper case makes ASCII letters of some that are none.
  if (!/^[0-9A-Za-z]{16}$/.test(symbols)) return undefined;
  const canonical = symbols.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  const values = Array.from(canonical, (symbol) => SYMBOLS.indexOf(symbol));
  if (values.includes(-1)) return undefined;
  const code = withCheckSymbol(values.slice(0, RANDOM_SYMBOL_COUNT));
  return code === canonical ? code : undefined;
}

/** As people read it: `ABCD-EFGH-JKMN-PQRS`. */
export const formatRewardCode = (code: RewardCode): string =>
  (code.match(new RegExp(`.{${GROUP_LENGTH}}`, 'g')) ?? []).join('-');
