/** Handles, by which customers are found instead of by their address: `@ada_l` (decision 0067). */

/** With or without the `@`. Letters of other alphabets are refused before the text is made lower case. */
const HANDLE = /^@?([A-Za-z][A-Za-z0-9_]{2,19})$/;

/** The handle in lower case, without `@`; `undefined` for any other text. */
export const parseHandle = (text: string): string | undefined =>
  HANDLE.exec(text.trim())?.[1]?.toLowerCase();

/** Characters and pairs of characters that look like another one. */
const LOOKS_LIKE: readonly (readonly [RegExp, string])[] = [
  [/_/g, ''],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
];

/** Equal for handles that look alike, so that only one of them is given out. */
export const skeletonOf = (handle: string): string =>
  LOOKS_LIKE.reduce((text, [sign, other]) => text.replace(sign, other), handle.toLowerCase());
