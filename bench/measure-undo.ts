/**
 * Measures what undo times, confirmations and limits cost a send that arrives at once. Both kinds of sends run in one process, by turns on
 * one database, since two processes differ by more than the goal.
 */
import type { LoadRequest, LoadUser } from './load-plan.ts';
import { processCpuMs } from './process-usage.ts';
import { runLoad, SEND_BEFORE_UNDO_PATH, startApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Samples } from './samples.ts';
import { CONNECTIONS, type BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

/** The rate varies by a tenth from one second to the next, and the goal is 3 %. */
const ROUNDS_FACTOR = 8;
const TURN = { warmUpMs: 1_000, measureMs: 1_000 };

const PATHS = { now: undefined, before: SEND_BEFORE_UNDO_PATH } as const;
const KINDS = ['now', 'before'] as const;

interface UndoBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
  readonly senders: readonly LoadUser[];
}

export async function measureUndo({ bench, samples, scale, senders }: UndoBench): Promise<void> {
  say('sends at once, now and before they could be undone');
  await bench.copy('prepared', 'undo');
  const api = await startApi('measured', bench.databaseUrl('undo'));
  const recipientUuids = senders.map(({ uuid }) => uuid);
  const turn = (kind: keyof typeof PATHS, times: typeof TURN) => {
    const path = PATHS[kind];
    const request: LoadRequest = {
      kind: 'transfer',
      senders,
      recipientUuids,
      ...(path !== undefined && { path }),
    };
    return runLoad({ url: api.url, connectionCount: CONNECTIONS, request, ...times });
  };
  try {
    for (const kind of KINDS) await turn(kind, { ...TURN, measureMs: scale.warmUpMs });
    for (let round = 1; round <= ROUNDS_FACTOR * scale.rounds; round++) {
      for (const kind of shuffled(KINDS)) {
        const cpuBeforeMs = processCpuMs(api.pid);
        const { perSecond, answeredCount } = await turn(kind, TURN);
        const cpuUs = ((processCpuMs(api.pid) - cpuBeforeMs) * 1_000) / answeredCount;
        samples.note(`sends per s, ${kind}`, perSecond);
        samples.note(`CPU us of the API for a send, ${kind}`, cpuUs);
      }
    }
  } finally {
    await api.stop();
  }
}

export const undoRatios = ({ samples }: UndoBench): MeasuredRatio[] => [
  {
    name: 'sends /s that arrive at once ÷ before sends could be undone',
    must: 0.97,
    aim: 0.99,
    sense: 'atLeast',
    rounds: samples.ratios('sends per s, now', 'sends per s, before'),
  },
  {
    name: 'CPU of the API for a send that arrives at once ÷ before sends could be undone',
    must: 1.05,
    aim: 1.03,
    sense: 'atMost',
    rounds: samples.ratios(
      'CPU us of the API for a send, now',
      'CPU us of the API for a send, before',
    ),
  },
];
