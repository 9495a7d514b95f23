import { expect, it } from 'vitest';
import { makeRecoveryCodes, recoveryCodeHashes } from './recovery-codes.ts';

const KEY = 'a key for hashes of at least 32 characters';

it('makes ten codes whose hashes match in any spelling', () => {
  const codes = makeRecoveryCodes([KEY]);
  expect(new Set(codes.map(({ text }) => text)).size).toBe(10);
  for (const { text, hash } of codes) {
    expect(recoveryCodeHashes([KEY], text)).toEqual([hash]);
    expect(recoveryCodeHashes([KEY], ` ${text.toLowerCase().replaceAll('-', ' ')} `)).toEqual([
      hash,
    ]);
  }
});

it('hashes with a key, so that a copy of the hashes cannot be searched', () => {
  const [code] = makeRecoveryCodes([KEY]);
  expect(recoveryCodeHashes([`another ${KEY}`], code?.text ?? '')).not.toEqual([code?.hash]);
});

it('finds a code of before under a new key', () => {
  const [code] = makeRecoveryCodes([KEY]);
  expect(recoveryCodeHashes([`another ${KEY}`, KEY], code?.text ?? '')).toContainEqual(code?.hash);
});

it.each(['', 'ABCD', '0000-0000-0000-0001', '0'.repeat(10_000)])('refuses "%s" unread', (text) => {
  expect(recoveryCodeHashes([KEY], text)).toEqual([]);
});
