/**
 * Takes turns with and without barriers in one process under a steady load, and counts what it answers in each. The machine's speed varies by
 * a tenth within seconds and the goal is 3 %, so turns are short: whatever slows the machine down meets both alike.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { shuffled } from '../samples.ts';

/** Batches that were sent in the turn before are answered within it. */
const SETTLE_MS = 50;
const COUNTED_MS = 200;
/** The length of a turn. */
export const TURN_MS = SETTLE_MS + COUNTED_MS;

/** The number of pairs of turns, and the file that gets the `TurnRates`. */
export interface TurnsPlan {
  readonly pairCount: number;
  readonly file: string;
}

/** Answers per second, over all turns. */
export interface TurnRates {
  readonly early: number;
  readonly waiting: number;
}

const MS_PER_SECOND = 1_000;

/** Takes the turns of the environment's `BENCH_TURNS` on SIGUSR2. */
export function takeTurnsOnSignal(turn: (isEarly: boolean) => void): void {
  const plan = JSON.parse(process.env['BENCH_TURNS'] ?? '') as TurnsPlan;
  let answerCount = 0;
  subscribe('http.server.response.finish', () => {
    answerCount++;
  });
  const take = async (): Promise<void> => {
    const early = { count: 0, ms: 0 };
    const waiting = { count: 0, ms: 0 };
    for (let pair = 1; pair <= plan.pairCount; pair++) {
      for (const total of shuffled([early, waiting])) {
        turn(total === early);
        await setTimeout(SETTLE_MS);
        const [startMs, startCount] = [performance.now(), answerCount];
        await setTimeout(COUNTED_MS);
        total.count += answerCount - startCount;
        total.ms += performance.now() - startMs;
      }
    }
    const perSecond = ({ count, ms }: typeof early) => Math.round((count * MS_PER_SECOND) / ms);
    const rates: TurnRates = { early: perSecond(early), waiting: perSecond(waiting) };
    writeFileSync(plan.file, JSON.stringify(rates));
  };
  process.once('SIGUSR2', () => void take());
}
