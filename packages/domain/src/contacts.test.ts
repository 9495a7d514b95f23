import { describe, expect, it } from 'vitest';
import { aliasOfText, isAlias } from './contacts.ts';

describe('a name', () => {
  it.each([
    ['  Ben ', 'Ben'],
    // Address books put such marks around names.
    ['\u200Eנועה\u200F', 'נועה'],
    ['\u202Ddoe\u202C', 'doe'],
    ['a\nb\tc\u0000', 'abc'],
    ['half \uD83D', 'half'],
    ['👩‍👩‍👧 家族', '👩‍👩‍👧 家族'],
    ['\u2066 \u2069', ''],
  ])('loses what nobody sees: %j', (text, alias) => {
    expect(aliasOfText(text)).toBe(alias);
    expect(isAlias(alias)).toBe(alias !== '');
  });

  it.each(['', ' Ben', 'a\u202Eb', 'a\u0000', 'x'.repeat(61)])('is not %j', (text) => {
    expect(isAlias(text)).toBe(false);
  });
});
