import { afterEach, expect, it, vi } from 'vitest';
import { StartError } from './start-error.ts';
import { supervise, type Part, type Running } from './supervise.ts';

const runs: (Running & { die(): void; isStopped: boolean })[] = [];

const part: Part = {
  label: 'The clock',
  launch: () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const run = {
      exited: promise,
      isStopped: false,
      die: () => resolve('ended by SIGKILL'),
      stop: async () => {
        run.isStopped = true;
        resolve('ended with code 0');
      },
    };
    runs.push(run);
    return Promise.resolve(run);
  },
};

// The backoff is not under test. Without it the limit is reached at once.
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }));

afterEach(() => {
  runs.length = 0;
});

it('restarts a part that ends, and says so', async () => {
  const onRestart = vi.fn<(sentence: string) => void>();
  const supervised = supervise(part, { onRestart, onGiveUp: vi.fn() });
  await supervised.started;
  runs[0]?.die();
  await expect.poll(() => runs).toHaveLength(2);
  expect(onRestart).toHaveBeenCalledWith('The clock ended by SIGKILL: starting it again.');
  await supervised.stop();
  expect(runs.map(({ isStopped }) => isStopped)).toEqual([false, true]);
});

it('gives up on a part that ends seven times within a minute', async () => {
  const onGiveUp = vi.fn<(error: StartError) => void>();
  const supervised = supervise(part, { onRestart: vi.fn(), onGiveUp });
  await supervised.started;
  for (let count = 1; count <= 7; count++) {
    await expect.poll(() => runs).toHaveLength(count);
    runs.at(-1)?.die();
  }
  await expect.poll(() => onGiveUp).toHaveBeenCalledOnce();
  expect(onGiveUp.mock.calls[0]?.[0]).toEqual(
    new StartError('The clock does not stay up: ended by SIGKILL.'),
  );
  expect(runs).toHaveLength(7);
  await supervised.stop();
});

it('does not restart a part that it has stopped', async () => {
  const onRestart = vi.fn();
  const supervised = supervise(part, { onRestart, onGiveUp: vi.fn() });
  await supervised.started;
  await supervised.stop();
  expect(runs).toHaveLength(1);
  expect(onRestart).not.toHaveBeenCalled();
});

it('rejects if the part cannot start the first time', async () => {
  const failing: Part = { label: 'x', launch: () => Promise.reject(new StartError('no')) };
  const supervised = supervise(failing, { onRestart: vi.fn(), onGiveUp: vi.fn() });
  await expect(supervised.started).rejects.toThrow('no');
  await supervised.stop();
});
