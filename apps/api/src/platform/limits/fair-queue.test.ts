import { expect, it } from 'vitest';
import type { Caller } from './caller.ts';
import { FairQueue } from './fair-queue.ts';

/** A queue of names, each pushed by the caller whose path it is: `place/account`. */
function queueOf(...names: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const name of names) {
    const [first = '', ...rest] = name.replace(/#.*/, '').split('/');
    const caller: Caller = [first, ...rest];
    queue.push(caller, name);
  }
  return queue;
}
function takeAll(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let item = queue.take(() => true); item !== undefined; item = queue.take(() => true)) {
    taken.push(item);
  }
  return taken;
}

it('callers take turns, and each gets its own items in the order of arrival', () => {
  const queue = queueOf('a#1', 'a#2', 'a#3', 'b#1', 'b#2', 'c#1');
  expect(takeAll(queue)).toEqual(['a#1', 'b#1', 'c#1', 'a#2', 'b#2', 'a#3']);
  expect(queue.size).toBe(0);
});

it('groups take turns first, so that many callers of one group get no more than one caller of another', () => {
  const queue = queueOf('x/a', 'x/b', 'x/c', 'x/d', 'y/e#1', 'y/e#2');
  expect(takeAll(queue)).toEqual(['x/a', 'y/e#1', 'x/b', 'y/e#2', 'x/c', 'x/d']);
});

it('whoever comes while others have their turn waits for one of each at most', () => {
  const queue = queueOf('a#1', 'a#2', 'b#1', 'b#2');
  expect(queue.take(() => true)).toBe('a#1');
  queue.push(['c'], 'c#1');
  expect(takeAll(queue)).toEqual(['b#1', 'a#2', 'c#1', 'b#2']);
});

it('skips what may not be taken yet, whose caller keeps its turn', () => {
  const queue = queueOf('a#1', 'b#1', 'b#2');
  expect(queue.take((name) => !name.startsWith('a'))).toBe('b#1');
  expect(queue.take((name) => name.startsWith('z'))).toBeUndefined();
  expect(takeAll(queue)).toEqual(['a#1', 'b#2']);
});

it('gives up the newest item of the fullest caller in the fullest group', () => {
  const queue = queueOf('x/a', 'x/b#1', 'x/b#2', 'y/c#1', 'y/c#2');
  expect(queue.takeNewestOfFullest()).toBe('x/b#2');
  // Both groups now have two items, and the item of the group that is served later is removed.
  expect(queue.takeNewestOfFullest()).toBe('y/c#2');
  expect(queue.size).toBe(3);
  expect(takeAll(queue)).toEqual(['x/a', 'y/c#1', 'x/b#1']);
});

it('gives up nothing when it is empty', () => {
  const queue = queueOf('a');
  expect(queue.takeNewestOfFullest()).toBe('a');
  expect([queue.size, queue.takeNewestOfFullest(), queue.size]).toEqual([0, undefined, 0]);
  expect(takeAll(queue)).toEqual([]);
});
