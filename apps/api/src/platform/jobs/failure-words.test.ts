import { expect, it } from 'vitest';
import { failureWords } from './failure-words.ts';

it.each([
  ['550 <Ada.B+x@Example.com>: no such user', '550 [address]: no such user'],
  ['to ada@example.com, ben@example.org', 'to [address], [address]'],
  ['connect smtp://user:pass-word@mail.example:587', 'connect smtp://mail.example:587'],
  ['GET https://a.example/verify?code=abc#x failed', 'GET https://a.example/verify failed'],
  ['key sk_live_abcdefgh12345678', 'key [secret]'],
  [`token eyJhbGciOiJFZERTQSJ9.${'a'.repeat(80)}.b`, 'token [secret]'],
  [
    'order 0192aaaa-0000-7000-8000-000000000001 of 17',
    'order 0192aaaa-0000-7000-8000-000000000001 of 17',
  ],
  [
    'connect ECONNREFUSED 127.0.0.1:25\n    at ada@example.com',
    'connect ECONNREFUSED 127.0.0.1:25',
  ],
  ['', ''],
])('says of %j only %j', (error, words) => {
  expect(failureWords(error)).toBe(words);
});

it('shortens what is endless', () => {
  expect(failureWords('no '.repeat(10_000))).toHaveLength(300);
});
