/** Names that customers choose to be shown to those who send to them (decision 0067). */
import { skeletonOf } from './handle.ts';

export const NAME_LENGTH_MIN = 2;
export const NAME_LENGTH_MAX = 40;

/** Controls, marks that turn the direction, signs without an image, and what no version of Unicode has assigned. */
const HIDDEN_SIGNS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/u;
/** Marks pile up above and below a line that is not theirs. */
const PILED_MARKS = /\p{M}{4,}/u;
const READABLE = /[\p{L}\p{N}]/u;

/** Letters of other alphabets, and the Latin ones that they pass for: Cyrillic, others, Greek. */
const LATIN_LOOKS = new Map(
  ['аaвbеeёeкkмmнhоoрpсcтtуyхx', 'іiїiјjѕsԁdɡgոnսuօoԛqԝw', 'αaβbεeηnιiκkνvοoρpτtυuχx'].flatMap(
    (pairs) =>
      Array.from(
        pairs.matchAll(/(.)(.)/gu),
        ([, letter = '', look = '']) => [letter, look] as const,
      ),
  ),
);

/** What a text looks like, so that `Suррοrt` is seen as `support`. */
function looksLike(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const latin = Array.from(plain, (sign) => LATIN_LOOKS.get(sign) ?? sign).join('');
  return skeletonOf(latin.replace(/[^\p{L}\p{N}]/gu, ''));
}

export type NameFault = 'length' | 'signs' | 'reserved';

/** Blanks count once, and none at either end. */
export const cleanName = (text: string): string => text.normalize('NFC').replace(/ +/g, ' ').trim();

/** Why a clean name is refused; `undefined` if it is not. `reserved`: the words of brand, provider and support. */
export function nameFault(name: string, reserved: readonly string[]): NameFault | undefined {
  if (HIDDEN_SIGNS.test(name) || PILED_MARKS.test(name)) return 'signs';
  const { length } = Array.from(name);
  if (length < NAME_LENGTH_MIN || length > NAME_LENGTH_MAX) return 'length';
  if (!READABLE.test(name)) return 'signs';
  return isReserved(name, reserved) ? 'reserved' : undefined;
}

/** What stands in a picture's place: the first sign of a name, with the marks that belong to it. Empty for an empty name. */
export function initialOf(name: string): string {
  const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = signs.segment(name.trim());
  // Letters such as ß become two in capitals.
  const [capital] = signs.segment((first?.segment ?? '').toUpperCase());
  return capital?.segment ?? '';
}

/** Whether a text has one of the words in it, however it is spelt. */
export function isReserved(text: string, reserved: readonly string[]): boolean {
  const look = looksLike(text);
  return reserved.some((word) => look.includes(looksLike(word)));
}
