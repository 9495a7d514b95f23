import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from './base64url.ts';

describe('base64url', () => {
  it.each([
    ['', ''],
    ['f', 'Zg'],
    ['fo', 'Zm8'],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg'],
    ['fooba', 'Zm9vYmE'],
    ['foobar', 'Zm9vYmFy'],
  ])('writes and reads %j as RFC 4648 does, without padding', (ascii, text) => {
    const bytes = Uint8Array.from(ascii, (character) => character.charCodeAt(0));
    expect(toBase64url(bytes)).toBe(text);
    expect(fromBase64url(text)).toEqual(bytes);
  });

  it('reads every byte back', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
    expect(toBase64url(bytes)).toContain('-_');
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
  });

  it.each(['Zg==', 'Zm+v', 'Zm/v', 'Zm v'])('refuses %j', (text) => {
    expect(() => fromBase64url(text)).toThrow(RangeError);
  });
});
