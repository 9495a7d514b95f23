// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStored } from './stored-value.ts';

const EMPTY: readonly number[] = [];
const parse = (stored: unknown): number[] | undefined =>
  Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'number') : undefined;
const open = () => openStored<readonly number[]>({ key: 'numbers', empty: EMPTY, parse });

afterEach(() => localStorage.clear());

/** Simulates a write by another tab. A `key` of `null` means that it cleared storage. */
const tellOf = (key: string | null): boolean => dispatchEvent(new StorageEvent('storage', { key }));

describe('a stored value', () => {
  it.each([
    ['nothing', null, []],
    ['what it wrote', '[1,2]', [1, 2]],
    ['parts that it cannot use', '[1,"two"]', [1]],
    ['another shape', '{"numbers":[1]}', []],
    ['broken JSON', '[1,', []],
  ])('reads %s', (_, text, expected) => {
    if (text !== null) localStorage.setItem('numbers', text);
    expect(open().get()).toEqual(expected);
  });

  it('keeps what another tab wrote in the meantime', () => {
    const numbers = open();
    localStorage.setItem('numbers', '[1]');
    numbers.change((stored) => [...stored, 2]);
    expect(numbers.get()).toEqual([1, 2]);
    expect(localStorage.getItem('numbers')).toBe('[1,2]');
  });

  it('removes its key when it is empty again', () => {
    const numbers = open();
    numbers.change(() => [1]);
    numbers.change(() => EMPTY);
    expect(localStorage.getItem('numbers')).toBeNull();
  });

  it('follows writes of other tabs only while subscribed to them', () => {
    const numbers = open();
    const unfollow = numbers.followOtherTabs();
    localStorage.setItem('numbers', '[1]');
    tellOf('other');
    expect(numbers.get()).toEqual([]);
    tellOf('numbers');
    expect(numbers.get()).toEqual([1]);
    unfollow();
    localStorage.setItem('numbers', '[2]');
    tellOf('numbers');
    expect(numbers.get()).toEqual([1]);
  });

  it('reports that another tab cleared storage', () => {
    const numbers = open();
    numbers.change(() => [1]);
    const handleCleared = vi.fn<() => void>();
    numbers.followOtherTabs(handleCleared);
    localStorage.clear();
    tellOf(null);
    expect(handleCleared).toHaveBeenCalledOnce();
    expect(numbers.get()).toEqual([]);
  });
});
