import { expect, it } from 'vitest';
import {
  drawRewardCode,
  formatRewardCode,
  readRewardCode,
  rewardCodeOfText,
} from './reward-code.ts';

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Bytes from a seeded generator: the same codes in each run. */
let seed = 20_261_121;
const nextByte = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return (seed >> 8) & 255;
};
const draw = () => drawRewardCode((bytes) => bytes.map(nextByte));
const drawMany = (count: number) => Array.from({ length: count }, draw);

const replaceAt = (code: string, index: number, symbols: string): string =>
  code.slice(0, index) + symbols + code.slice(index + symbols.length);

it('a code has 15 random symbols and a check symbol in base 32', () => {
  const codes = drawMany(2_000);
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(new Set(codes).size).toBe(2_000);
  for (let index = 0; index < 16; index += 1) {
    expect(new Set(codes.map((code) => code.charAt(index))).size, `place ${index}`).toBe(32);
  }
});

it('each symbol is a random byte modulo 32, so all are equally likely', () => {
  const code = drawRewardCode((bytes) => bytes.map((_, index) => 32 * 7 + index));
  expect(code.slice(0, 15)).toBe(SYMBOLS.slice(0, 15));
});

it('a drawn code reads as itself', () => {
  for (const code of drawMany(200)) expect(readRewardCode(code)).toBe(code);
});

it('one wrong symbol in any place makes a code invalid', () => {
  for (const code of drawMany(20)) {
    for (let index = 0; index < 16; index += 1) {
      for (const symbol of SYMBOLS) {
        if (symbol === code.charAt(index)) continue;
        expect(readRewardCode(replaceAt(code, index, symbol))).toBeUndefined();
      }
    }
  }
});

it('swapping any two different symbols makes a code invalid', () => {
  for (const code of drawMany(50)) {
    for (let left = 0; left < 16; left += 1) {
      for (let right = left + 1; right < 16; right += 1) {
        if (code.charAt(left) === code.charAt(right)) continue;
        const swapped = replaceAt(
          replaceAt(code, left, code.charAt(right)),
          right,
          code.charAt(left),
        );
        expect(readRewardCode(swapped)).toBeUndefined();
      }
    }
  }
});

it('case, groups, spaces and dashes do not matter', () => {
  const code = draw();
  const grouped = formatRewardCode(code);
  for (const text of [
    grouped,
    grouped.toLowerCase(),
    ` ${grouped.replaceAll('-', ' ')}\n`,
    grouped.replaceAll('-', '–'),
    `-${code.slice(0, 3)} - ${code.slice(3)}`,
  ]) {
    expect(readRewardCode(text), text).toBe(code);
  }
});

it('O reads as 0, I and L as 1', () => {
  const code = drawRewardCode((bytes) => bytes.map((_, index) => index % 2));
  expect(code.slice(0, 4)).toBe('0101');
  for (const one of ['I', 'l', 'L', 'i']) {
    const typed = code.replaceAll('0', 'o').replaceAll('1', one);
    expect(readRewardCode(typed), typed).toBe(code);
  }
});

it('anything else is not a code', () => {
  const code = draw();
  for (const text of [
    '',
    ' ',
    '-',
    code.slice(1),
    `${code}0`,
    replaceAt(code, 3, 'U'),
    replaceAt(code, 3, 'ſ'),
    replaceAt(code, 3, 'İ'),
    replaceAt(code, 3, '０'),
    replaceAt(code, 3, '\0'),
    replaceAt(code, 3, '%'),
    `${code}${' '.repeat(100)}`,
    'A'.repeat(1_000_000),
  ]) {
    expect(readRewardCode(text)).toBeUndefined();
  }
});

it('a code is printed in groups of 4', () => {
  const code = drawRewardCode((bytes) => bytes.fill(31));
  expect(formatRewardCode(code)).toMatch(/^ZZZZ-ZZZZ-ZZZZ-ZZZ[0-9A-HJKMNP-TV-Z]$/);
});

it('is found in a link, in any spelling, and in the text of its QR code', () => {
  const code = draw();
  for (const text of [
    code,
    ` ${formatRewardCode(code).toLowerCase()} `,
    `https://wallet.example/app/redeem?code=${formatRewardCode(code)}`,
    `https://wallet.example/app/redeem?from=mail&code=${code}#top`,
    `https://wallet.example/app/redeem?code=${formatRewardCode(code).replaceAll('-', '+')}`,
    `https://wallet.example/app/redeem?code=${formatRewardCode(code).replaceAll('-', '%20')}`,
  ]) {
    expect(rewardCodeOfText(text), text).toBe(code);
  }
  for (const text of ['', 'https://wallet.example/', 'https://wallet.example/?code=', '{"t":1}']) {
    expect(rewardCodeOfText(text), text).toBeUndefined();
  }
});
