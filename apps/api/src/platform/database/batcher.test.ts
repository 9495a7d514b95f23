import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Batcher, type GiveUpReason } from './batcher.ts';

type Options = ConstructorParameters<typeof Batcher<number, string>>[0];

/** A batcher whose batches the test settles by hand, in the order in which they were sent. */
function createBench(options: Partial<Options> = {}) {
  const sent: { requests: readonly number[]; timeLeftMs: number }[] = [];
  const pending: { answer: () => void; fail: (error: unknown) => void }[] = [];
  const batcher = new Batcher<number, string>({
    name: 'test',
    send(requests, timeLeftMs) {
      sent.push({ requests, timeLeftMs });
      return new Promise((resolve, reject) => {
        pending.push({ answer: () => resolve(requests.map((n) => `answer ${n}`)), fail: reject });
      });
    },
    batchesInFlightMax: 1,
    batchSizeMax: 10,
    waitingMax: 100,
    waitMaxMs: 4_000,
    giveUp: (reason: GiveUpReason, cause) => new Error(reason, { cause }),
    ...options,
  });
  const settled: unknown[] = [];
  return {
    batcher,
    sent: () => sent.map(({ requests }) => requests),
    timeLeftMs: () => sent.map(({ timeLeftMs }) => timeLeftMs),
    ask(...requests: number[]) {
      for (const request of requests) {
        batcher.ask(request).then(
          (answer) => settled.push(answer),
          (error: Error) => settled.push(`${request}: ${error.message}`),
        );
      }
    },
    /** Resolves the oldest batch in flight. */
    async answer() {
      pending.shift()?.answer();
      await turn();
    },
    async fail(error: unknown = new Error('lost')) {
      pending.shift()?.fail(error);
      await turn();
    },
    settled,
  };
}

const turn = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const retry = { isRetryable: () => true, ageMaxMs: 2_500, pauseMs: () => 200 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('batches', () => {
  it('contain all requests of one turn of the event loop, in order', async () => {
    const bench = createBench();
    bench.ask(1, 2, 3);
    expect(bench.sent()).toEqual([]);
    await turn();
    expect(bench.sent()).toEqual([[1, 2, 3]]);
    await bench.answer();
    expect(bench.settled).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  it('collect the requests that arrive while the maximum is in flight', async () => {
    const bench = createBench({ batchesInFlightMax: 2 });
    for (const request of [1, 2, 3, 4]) {
      bench.ask(request);
      await turn();
    }
    expect(bench.sent()).toEqual([[1], [2]]);
    await bench.answer();
    expect(bench.sent()).toEqual([[1], [2], [3, 4]]);
  });

  it('are no larger than the limit', async () => {
    const bench = createBench({ batchSizeMax: 2, batchesInFlightMax: 9 });
    bench.ask(1, 2, 3, 4, 5);
    await turn();
    expect(bench.sent()).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('wait until they are due while another one is in flight', async () => {
    const bench = createBench({
      batchesInFlightMax: 2,
      isDue: (waitingCount, underWayCount) => waitingCount >= underWayCount,
    });
    bench.ask(1, 2);
    await turn();
    bench.ask(3);
    await turn();
    expect(bench.sent()).toEqual([[1, 2]]);
    bench.ask(4);
    await turn();
    expect(bench.sent()).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('contain what `choose` picks, and the rest keeps its order', async () => {
    const bench = createBench({
      choose: (waiting) => new Set(waiting.filter(({ request }) => request % 2 === 0)),
    });
    bench.ask(1, 2, 3, 4, 5);
    await turn();
    await bench.answer();
    expect(bench.sent()).toEqual([[2, 4]]);
    bench.ask(6);
    await turn();
    expect(bench.sent()).toEqual([[2, 4], [6]]);
  });

  it('are sent with the time that their oldest request has left', async () => {
    const bench = createBench();
    bench.ask(1);
    await turn();
    await vi.advanceTimersByTimeAsync(50);
    bench.ask(2);
    await vi.advanceTimersByTimeAsync(30);
    await bench.answer();
    expect(bench.timeLeftMs()).toEqual([4_000, 3_970]);
  });

  it('fail as a whole if an answer is missing', async () => {
    const bench = createBench({ send: () => Promise.resolve(['one']) });
    bench.ask(1, 2);
    await turn();
    const broken = 'broken invariant: every request of a batch has an answer';
    expect(bench.settled).toEqual([`1: ${broken}`, `2: ${broken}`]);
  });
});

describe('the queue', () => {
  it('refuses a request at once when too many wait', async () => {
    const bench = createBench({ waitingMax: 2 });
    bench.ask(1, 2, 3);
    await turn();
    expect(bench.settled).toEqual(['3: overloaded']);
    expect(bench.sent()).toEqual([[1, 2]]);
    bench.ask(4, 5, 6);
    await turn();
    expect(bench.settled).toEqual(['3: overloaded', '6: overloaded']);
  });

  it('gives up requests that waited too long behind a batch, and sends later ones', async () => {
    const bench = createBench();
    bench.ask(1);
    await turn();
    bench.ask(2);
    await vi.advanceTimersByTimeAsync(3_000);
    bench.ask(3);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(bench.settled).toEqual(['2: not_sent']);
    await bench.answer();
    expect(bench.sent()).toEqual([[1], [3]]);
  });

  it('sends nothing while the batcher is not ready, and resumes when woken', async () => {
    let isReady = false;
    const bench = createBench({ isReady: () => isReady });
    bench.ask(1);
    await vi.advanceTimersByTimeAsync(3_950);
    bench.ask(2);
    await vi.advanceTimersByTimeAsync(150);
    expect(bench.settled).toEqual(['1: not_sent']);
    isReady = true;
    bench.batcher.wake();
    await turn();
    expect(bench.sent()).toEqual([[2]]);
  });

  it('refuses with AppErrors by default', async () => {
    const batcher = new Batcher<number, string>({
      name: 'test',
      send: () => new Promise(() => undefined),
      batchesInFlightMax: 1,
      batchSizeMax: 1,
      waitingMax: 1,
      waitMaxMs: 4_000,
    });
    void batcher.ask(1);
    await expect(batcher.ask(2)).rejects.toMatchObject({ code: 'overloaded' });
    await turn();
    const late = expect(batcher.ask(3)).rejects.toMatchObject({
      code: 'try_again',
      options: { retryAfterSeconds: 1 },
    });
    await vi.advanceTimersByTimeAsync(4_200);
    await late;
  });
});

describe('a batch that fails', () => {
  it('fails all its requests without a retry policy', async () => {
    const bench = createBench();
    bench.ask(1, 2);
    await turn();
    await bench.fail(new Error('no'));
    expect(bench.settled).toEqual(['1: no', '2: no']);
  });

  it('fails all its requests on an error that is not retryable', async () => {
    const bench = createBench({ retry: { ...retry, isRetryable: () => false } });
    bench.ask(1);
    await turn();
    await bench.fail(new Error('no'));
    expect(bench.settled).toEqual(['1: no']);
  });

  it('is sent again after a pause, before later requests and in the order of arrival', async () => {
    const bench = createBench({ batchesInFlightMax: 2, batchSizeMax: 2, retry });
    for (const request of [1, 2, 3, 4, 5]) {
      bench.ask(request);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(bench.sent()).toEqual([[1], [2]]);
    // The second batch fails first.
    const lost = bench.fail();
    await bench.fail();
    await lost;
    await vi.advanceTimersByTimeAsync(190);
    expect(bench.sent()).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(20);
    expect(bench.sent().slice(2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('is given up if its requests are too old for another attempt', async () => {
    const bench = createBench({ retry });
    bench.ask(1);
    await turn();
    await vi.advanceTimersByTimeAsync(2_600);
    bench.ask(2);
    await bench.fail();
    expect(bench.settled).toEqual(['1: outcome_unknown']);
    expect(bench.sent()).toEqual([[1], [2]]);
  });

  it('leaves the outcome of its requests unknown', async () => {
    let isReady = true;
    const bench = createBench({ retry, isReady: () => isReady });
    bench.ask(1);
    await turn();
    isReady = false;
    await bench.fail();
    bench.ask(2);
    await vi.advanceTimersByTimeAsync(4_200);
    expect(bench.settled).toEqual(['1: outcome_unknown', '2: not_sent']);
  });
});

describe('close', () => {
  it('lets earlier requests settle, including retried ones, and refuses the rest', async () => {
    const bench = createBench({ batchSizeMax: 1, retry });
    bench.ask(1, 2);
    const closed = vi.fn<() => void>();
    void bench.batcher.close().then(closed);
    bench.ask(3);
    await turn();
    expect(bench.settled).toEqual(['3: closing']);
    await bench.fail();
    await vi.advanceTimersByTimeAsync(210);
    await bench.answer();
    expect(closed).not.toHaveBeenCalled();
    await bench.answer();
    expect(bench.settled).toEqual(['3: closing', 'answer 1', 'answer 2']);
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('resolves at once when nothing is in flight', async () => {
    const closed = createBench().batcher.close();
    await turn();
    await closed;
  });
});
