import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGate } from './gate.ts';

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
/** Lets the handlers of settled promises run. */
const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

const LIMITS = { atOnceMax: 1, waitingMax: 10, waitMaxMs: 60_000 };
const OVERLOADED = { code: 'overloaded', options: { retryAfterSeconds: 2 } };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a gate', () => {
  it('runs at most the given number at once, those of one caller in the order of arrival', async () => {
    const work = createWork();
    const pass = createGate({ ...LIMITS, atOnceMax: 2 });
    const all = Promise.all([1, 2, 3, 4].map((name) => pass(['a'], work.run(name))));
    expect(work.started).toEqual([1, 2]);
    for (let count = 1; count <= 4; count += 1) await work.endOldest();
    expect(await all).toEqual([1, 2, 3, 4]);
    expect(work.started).toEqual([1, 2, 3, 4]);
  });

  it('lets callers take turns', async () => {
    const work = createWork();
    const pass = createGate(LIMITS);
    const all = [1, 2, 3].map((name) => pass(['a'], work.run(name)));
    all.push(pass(['b'], work.run(4)));
    for (let count = 1; count <= 4; count += 1) await work.endOldest();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
    expect(work.started).toEqual([1, 2, 4, 3]);
  });

  it('when the queue is full, refuses whoever has the most waiting, a second later', async () => {
    const work = createWork();
    const pass = createGate({ ...LIMITS, waitingMax: 2 });
    const first = pass(['a'], work.run(1));
    const second = pass(['a'], work.run(2));
    const third = pass(['a'], work.run(3));
    const onRefused = vi.fn();
    third.catch(onRefused);
    const fourth = pass(['b'], work.run(4));
    await vi.advanceTimersByTimeAsync(999);
    expect(onRefused).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onRefused).toHaveBeenCalledWith(expect.objectContaining(OVERLOADED));
    for (let count = 1; count <= 3; count += 1) await work.endOldest();
    expect(await Promise.all([first, second, fourth])).toEqual([1, 2, 4]);
    const fifth = pass(['a'], work.run(5));
    await work.endOldest();
    expect(await fifth).toBe(5);
  });

  it('refuses a function that waited too long when its turn comes, and runs the next', async () => {
    const work = createWork();
    const pass = createGate({ ...LIMITS, waitMaxMs: 1_000 });
    const first = pass(['a'], work.run(1));
    const isRefused = expect(pass(['a'], work.run(2))).rejects.toMatchObject(OVERLOADED);
    await vi.advanceTimersByTimeAsync(1_001);
    const third = pass(['a'], work.run(3));
    await work.endOldest();
    await isRefused;
    await work.endOldest();
    expect(await Promise.all([first, third])).toEqual([1, 3]);
    expect(work.started).toEqual([1, 3]);
  });

  it('frees the place of a function that fails', async () => {
    const pass = createGate({ ...LIMITS, waitingMax: 0 });
    await expect(pass(['a'], () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await pass(['a'], () => Promise.resolve('in'))).toBe('in');
  });
});

describe('a gate with a limit for each caller', () => {
  const limits = { ...LIMITS, atOnceMax: 2, ofCallerMax: 1 };

  it('leaves a free place to other callers', async () => {
    const work = createWork();
    const pass = createGate(limits);
    const all = [1, 2, 3].map((name) => pass(['a'], work.run(name)));
    expect(work.started).toEqual([1]);
    all.push(pass(['b'], work.run(4)));
    expect(work.started).toEqual([1, 4]);
    for (let count = 1; count <= 4; count += 1) await work.endOldest();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
  });

  it('runs as many of one caller at once as it allows', async () => {
    const work = createWork();
    const pass = createGate({ ...LIMITS, atOnceMax: 3, ofCallerMax: 2 });
    const all = [1, 2, 3].map((name) => pass(['a'], work.run(name)));
    expect(work.started).toEqual([1, 2]);
    all.push(pass(['b'], work.run(4)));
    expect(work.started).toEqual([1, 2, 4]);
    for (let count = 1; count <= 4; count += 1) await work.endOldest();
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
    expect(work.started).toEqual([1, 2, 4, 3]);
  });

  it('knows a caller in every group', async () => {
    const work = createWork();
    const pass = createGate(limits);
    const all = [pass(['x', 'a'], work.run(1)), pass(['y', 'a'], work.run(2))];
    expect(work.started).toEqual([1]);
    await work.endOldest();
    await work.endOldest();
    expect(await Promise.all(all)).toEqual([1, 2]);
  });

  it('continues with the caller after a failure', async () => {
    const pass = createGate(limits);
    const failed = pass(['a'], () => Promise.reject(new Error('broken')));
    const next = pass(['a'], () => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
