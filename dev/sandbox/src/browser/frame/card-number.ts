export interface Brand {
  readonly name: string;
  readonly lengths: readonly number[];
  readonly groups: readonly number[];
  readonly cvcLength: number;
}

const fours = [4, 4, 4, 4, 3];
const unknownBrand: Brand = { name: '', lengths: [16], groups: fours, cvcLength: 3 };
const brands: readonly (readonly [RegExp, Brand])[] = [
  [/^4/, { name: 'VISA', lengths: [16], groups: fours, cvcLength: 3 }],
  [/^(5[1-5]|2[2-7])/, { name: 'MASTERCARD', lengths: [16], groups: fours, cvcLength: 3 }],
  [/^3[47]/, { name: 'AMEX', lengths: [15], groups: [4, 6, 5], cvcLength: 4 }],
  [/^(6011|65|64[4-9])/, { name: 'DISCOVER', lengths: [16], groups: fours, cvcLength: 3 }],
];

export function readDigits(text: string): string {
  return text.replaceAll(/\D/g, '');
}

export function findBrand(digits: string): Brand {
  return brands.find(([pattern]) => pattern.test(digits))?.[1] ?? unknownBrand;
}

/** Groups the digits as they are printed on the card. */
export function formatNumber(digits: string): string {
  const { groups, lengths } = findBrand(digits);
  const kept = digits.slice(0, Math.max(...lengths));
  const parts: string[] = [];
  let start = 0;
  for (const size of groups) {
    if (start >= kept.length) break;
    parts.push(kept.slice(start, start + size));
    start += size;
  }
  return parts.join(' ');
}

/** Formats as `MM / YY`. A first digit above 1 must be a one-digit month, so it gets a leading zero. */
export function formatExpiry(text: string): string {
  const digits = readDigits(text);
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const kept = padded.slice(0, 4);
  return kept.length > 2 ? `${kept.slice(0, 2)} / ${kept.slice(2)}` : kept;
}

export function hasValidLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
