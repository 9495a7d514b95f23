/** Display names, which customers choose for those who send to them (decision 0067). */
import { skeletonOf } from './handle.ts';

export const NAME_LENGTH_MIN = 2;
export const NAME_LENGTH_MAX = 40;

/** Control characters, marks that change the direction, invisible characters, and code points that Unicode has not assigned. */
const HIDDEN_SIGNS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/u;
/** Piled-up marks reach into the lines above and below. */
const PILED_MARKS = /\p{M}{4,}/u;
const READABLE = /[\p{L}\p{N}]/u;

/** Letters of other alphabets, and the Latin ones they look like: Cyrillic, others, Greek. */
const LATIN_LOOKS = new Map(
  ['аaвbеeёeкkмmнhоoрpсcтtуyхx', 'іiїiјjѕsԁdɡgոnսuօoԛqԝw', 'αaβbεeηnιiκkνvοoρpτtυuχx'].flatMap(
    (pairs) =>
      Array.from(
        pairs.matchAll(/(.)(.)/gu),
        ([, letter = '', look = '']) => [letter, look] as const,
      ),
  ),
);

/** Maps a text to the Latin letters it looks like, so that `Suррοrt` is read as `support`. */
function looksLike(text: string): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const latin = Array.from(plain, (sign) => LATIN_LOOKS.get(sign) ?? sign).join('');
  return skeletonOf(latin.replace(/[^\p{L}\p{N}]/gu, ''));
}

export type NameFault = 'length' | 'signs' | 'reserved';

/** Collapses runs of spaces and removes surrounding ones. */
export const cleanName = (text: string): string => text.normalize('NFC').replace(/ +/g, ' ').trim();

/** The reason why a clean name is refused; `undefined` if it is allowed. `reserved`: the words of brand, provider and support. */
export function nameFault(name: string, reserved: readonly string[]): NameFault | undefined {
  if (HIDDEN_SIGNS.test(name) || PILED_MARKS.test(name)) return 'signs';
  const { length } = Array.from(name);
  if (length < NAME_LENGTH_MIN || length > NAME_LENGTH_MAX) return 'length';
  if (!READABLE.test(name)) return 'signs';
  return isReserved(name, reserved) ? 'reserved' : undefined;
}

/** The text shown in place of a picture: the first letter of a name, with its combining marks. Empty for an empty name. */
export function initialOf(name: string): string {
  const signs = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = signs.segment(name.trim());
  // The upper case of letters such as ß has two letters.
  const [capital] = signs.segment((first?.segment ?? '').toUpperCase());
  return capital?.segment ?? '';
}

/** Whether a text contains one of the words, in any spelling that looks like it. */
export function isReserved(text: string, reserved: readonly string[]): boolean {
  const look = looksLike(text);
  return reserved.some((word) => look.includes(looksLike(word)));
}
