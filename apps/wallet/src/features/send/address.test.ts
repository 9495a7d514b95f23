import { describe, expect, it } from 'vitest';
import { addressFault, addressOfText, shortenAddress } from './address.ts';

const OWN = '0192aaaa-0000-7000-8000-000000000001';
const OTHER = '0192bbbb-0000-7000-8000-000000000002';
const SCANNED = JSON.stringify({
  t: 'transfer',
  d: { a: OTHER, t: 1_763_726_400_000, v: 1 },
  s: 'signature',
});

describe('addressOfText', () => {
  it.each([
    ['a uuid', OTHER, OTHER],
    ['a uuid in capitals and blanks', ` ${OTHER.toUpperCase()}\n`, OTHER],
    ['the text of a scanned code', SCANNED, OTHER],
    ['anything else', ' Bo ', 'Bo'],
  ])('reads %s', (_name, text, address) => {
    expect(addressOfText(text)).toBe(address);
  });
});

describe('addressFault', () => {
  it.each([
    ['', 'empty'],
    ['Bo', 'invalid'],
    [OTHER.slice(1), 'invalid'],
    [`${OTHER}0`, 'invalid'],
    [OWN, 'own'],
    [OTHER, undefined],
  ])('%s is %s', (address, fault) => {
    expect(addressFault(address, OWN)).toBe(fault);
  });
});

describe('shortenAddress', () => {
  it('leaves a short address unchanged', () => expect(shortenAddress('123', 3)).toBe('123'));
  it('truncates after the given length', () => expect(shortenAddress('1234', 3)).toBe('123…'));
});
