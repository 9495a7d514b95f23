import { describe, expect, it } from 'vitest';
import { decodeBase45, encodeBase45 } from './base45.ts';

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('base45', () => {
  // The examples of RFC 9285, 4.3 and 4.4.
  it.each([
    ['AB', 'BB8'],
    ['Hello!!', '%69 VD92EX0'],
    ['base-45', 'UJCLQE7W581'],
    ['ietf!', 'QED8WEX0'],
    ['', ''],
  ])('writes %o as %o, and reads it', (plain, text) => {
    expect(encodeBase45(bytesOf(plain))).toBe(text);
    expect(decodeBase45(text)).toEqual(bytesOf(plain));
  });

  it('reads what it wrote, for each byte and pair at the edges', () => {
    for (const first of [0, 1, 44, 45, 127, 128, 254, 255]) {
      for (const rest of [[], [0], [255], [255, 255], [0, 0]]) {
        const bytes = Uint8Array.from([first, ...rest]);
        expect(decodeBase45(encodeBase45(bytes))).toEqual(bytes);
      }
    }
  });

  it.each([
    ['one character left', 'BB8B'],
    ['a pair above 65535', ':::'],
    ['a byte above 255', '::'],
    ['a small letter', 'bb8'],
    ['a character of two code units', 'B\u{1F3AB}'],
    ['a letter outside of ASCII', 'BÄ8'],
  ])('refuses %s', (_what, text) => {
    expect(decodeBase45(text)).toBeUndefined();
  });
});
