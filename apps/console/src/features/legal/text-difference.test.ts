import { expect, it } from 'vitest';
import { textDifference } from './text-difference.ts';

const kinds = (before: string, after: string): string[] =>
  textDifference(before, after).map(({ kind, text }) => `${kind} ${text}`);

it.each([
  ['a\n\nb', 'a\n\nb', ['same a', 'same b']],
  ['a\n\nb', 'a\n\nc', ['same a', 'removed b', 'added c']],
  ['a\n\nc', 'a\n\nb\n\nc', ['same a', 'added b', 'same c']],
  ['a\n\nb\n\nc', 'c\n\na\n\nb', ['added c', 'same a', 'same b', 'removed c']],
  ['', 'a', ['added a']],
  ['a', '', ['removed a']],
  ['a\r\n\r\nb', 'a\n \nb', ['same a', 'same b']],
  ['', '', []],
])('tells %j from %j', (before, after, parts) => {
  expect(kinds(before, after)).toEqual(parts);
});
