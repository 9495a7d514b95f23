/** No code is accepted after any of 100,000 random changes. This takes so long that `npm run test:system` runs it, and `npm test` does not. */
import { randomBytes, randomInt, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { decodeBase45, encodeBase45 } from '@athos/domain/base45';
import { encodeTicket, ticketToSign } from '@athos/domain/ticket-code';
import { createPhone, showTicket } from '../../../../test/build-ticket.ts';
import { AppError } from '../../../platform/errors.ts';
import { createSigningKeys } from '../../../platform/keys/signing-keys.ts';
import { readCode } from '../read-code.ts';
import { keyByteOf } from './read-ticket-code.ts';

const MUTATION_COUNT = 100_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

const keys = createSigningKeys([randomBytes(32)]);
const phone = createPhone();
const body = encodeTicket({
  keyByte: keyByteOf(keys.current.kid),
  number: 7_654_321,
  holder: '0192f3a1',
  validFromS: 1_795_000_000,
  validHours: 48,
  phoneKey: phone.publicKey,
  groups: [
    { offerId: 12, firstItemId: 1_000_000, itemCount: 4 },
    { offerId: 300, firstItemId: 1_000_010, itemCount: 6 },
  ],
});
const signature = sign(null, ticketToSign(body), keys.current.privateKey);
const code = showTicket(phone, Uint8Array.from([...body, ...signature]), {
  atMs: 1_795_000_060_000,
});
const codeBytes = decodeBase45(code.slice(3)) ?? new Uint8Array();

/** Changes some bytes, or changes, removes, adds or swaps some characters. */
function mutate(): string {
  if (randomInt(2) === 0) {
    const bytes = Uint8Array.from(codeBytes);
    for (let left = randomInt(1, 4); left > 0; left--) {
      bytes[randomInt(bytes.length)] = randomInt(256);
    }
    return `T1:${encodeBase45(bytes)}`;
  }
  const characters = Array.from(code);
  for (let left = randomInt(1, 4); left > 0; left--) {
    const count = randomInt(3);
    const added = Array.from({ length: randomInt(3) }, () => ALPHABET[randomInt(45)] ?? '');
    characters.splice(randomInt(3, characters.length), count, ...added);
  }
  return characters.join('');
}

it('[W-010] none of 100,000 random changes of a ticket code is taken', () => {
  expect(readCode(keys, code).itemIds).toHaveLength(10);
  const taken: string[] = [];
  const refusals = new Map<string, number>();
  for (let index = 0; index < MUTATION_COUNT; index++) {
    const mutated = mutate();
    if (mutated === code) continue;
    try {
      readCode(keys, mutated);
      taken.push(mutated);
    } catch (error) {
      const refusal = error instanceof AppError ? error.code : 'broken';
      refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1);
    }
  }
  expect(taken).toEqual([]);
  expect([...refusals.keys()].toSorted()).toEqual(['invalid_signature', 'unreadable_code']);
});
