import { describe, expect, it, vi } from 'vitest';
import { createFairGate, createGate, createTurns } from './gate.ts';

/** Work that the test finishes by hand. */
function createWork() {
  const ends: (() => void)[] = [];
  const started: number[] = [];
  return {
    started,
    run: (name: number) => () => {
      started.push(name);
      return new Promise<number>((resolve) => ends.push(() => resolve(name)));
    },
    async endOldest(): Promise<void> {
      ends.shift()?.();
      await settle();
    },
  };
}
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const LONG_MS = 60_000;

describe('a gate', () => {
  it('runs at most the given number at once, in the order of arrival', async () => {
    const work = createWork();
    const pass = createGate({ atOnceMax: 2, waitingMax: 10, waitMaxMs: LONG_MS });
    const all = Promise.all([1, 2, 3, 4].map((name) => pass(work.run(name))));
    expect(work.started).toEqual([1, 2]);
    await work.endOldest();
    expect(work.started).toEqual([1, 2, 3]);
    await work.endOldest();
    await work.endOldest();
    await work.endOldest();
    expect(await all).toEqual([1, 2, 3, 4]);
  });

  it('refuses at once while the queue is full, and accepts again afterwards', async () => {
    const work = createWork();
    const pass = createGate({ atOnceMax: 1, waitingMax: 1, waitMaxMs: LONG_MS });
    const first = pass(work.run(1));
    const second = pass(work.run(2));
    await expect(pass(work.run(3))).rejects.toMatchObject({
      code: 'overloaded',
      options: { retryAfterSeconds: 2 },
    });
    await work.endOldest();
    const fourth = pass(work.run(4));
    await work.endOldest();
    await work.endOldest();
    expect(await Promise.all([first, second, fourth])).toEqual([1, 2, 4]);
  });

  it('refuses a function that waited too long when its turn comes, and runs the next', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const work = createWork();
    const pass = createGate({ atOnceMax: 1, waitingMax: 10, waitMaxMs: 1000 });
    const first = pass(work.run(1));
    const late = pass(work.run(2));
    const isRefused = expect(late).rejects.toMatchObject({ code: 'overloaded' });
    now.mockReturnValue(1001);
    const third = pass(work.run(3));
    await work.endOldest();
    await isRefused;
    await work.endOldest();
    expect(await Promise.all([first, third])).toEqual([1, 3]);
    expect(work.started).toEqual([1, 3]);
  });

  it('frees the slot of a function that fails', async () => {
    const pass = createGate({ atOnceMax: 1, waitingMax: 0, waitMaxMs: LONG_MS });
    await expect(pass(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await pass(() => Promise.resolve('in'))).toBe('in');
  });
});

describe('turns', () => {
  it('run one at a time for one key, and concurrently for two', async () => {
    const work = createWork();
    const turns = createTurns();
    const all = Promise.all([
      turns('a', work.run(1)),
      turns('a', work.run(2)),
      turns('b', work.run(3)),
    ]);
    await settle();
    expect(work.started).toEqual([1, 3]);
    await work.endOldest();
    expect(work.started).toEqual([1, 3, 2]);
    await work.endOldest();
    await work.endOldest();
    expect(await all).toEqual([1, 2, 3]);
  });

  it('continue after a failure', async () => {
    const turns = createTurns();
    const failed = turns('a', () => Promise.reject(new Error('broken')));
    const next = turns('a', () => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});

describe('a fair gate', () => {
  const limits = { atOnceMax: 2, waitingMax: 10, waitMaxMs: LONG_MS, waitingOfOneMax: 3 };

  it('lets each user pass one at a time, interleaved with others', async () => {
    const work = createWork();
    const pass = createFairGate(limits);
    const all = [1, 2, 3].map((name) => pass(1n, work.run(name)));
    await settle();
    const other = pass(2n, work.run(4));
    await settle();
    expect(work.started).toEqual([1, 4]);
    for (let count = 1; count <= 4; count += 1) await work.endOldest();
    expect(await Promise.all([...all, other])).toEqual([1, 2, 3, 4]);
  });

  it('refuses only the user who has too many functions waiting', async () => {
    const work = createWork();
    const pass = createFairGate(limits);
    const own = [1, 2, 3, 4].map((name) => pass(1n, work.run(name)));
    await expect(pass(1n, work.run(5))).rejects.toMatchObject({ code: 'overloaded' });
    const other = pass(2n, work.run(6));
    await settle();
    for (let count = 1; count <= 5; count += 1) await work.endOldest();
    expect(await Promise.all([...own, other])).toEqual([1, 2, 3, 4, 6]);
    const after = pass(1n, work.run(7));
    await settle();
    await work.endOldest();
    expect(await after).toBe(7);
  });

  it('refuses a user who waited too long for their own turn, and runs the next', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const work = createWork();
    const pass = createFairGate({ ...limits, waitMaxMs: 1_000 });
    const first = pass(1n, work.run(1));
    const isRefused = expect(pass(1n, work.run(2))).rejects.toMatchObject({ code: 'overloaded' });
    await settle();
    now.mockReturnValue(1_001);
    const third = pass(1n, work.run(3));
    await work.endOldest();
    await isRefused;
    await work.endOldest();
    expect(await Promise.all([first, third])).toEqual([1, 3]);
    expect(work.started).toEqual([1, 3]);
    now.mockRestore();
  });
});
