/**
 * Takes turns with and without something in one process under a steady load, and counts what it answers in each. Two processes of one build
 * differ by a third for as long as they live, and the machine's speed varies by a tenth within seconds. The goals are a few percent, so turns are
 * short: whatever slows the machine down meets both alike.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { shuffled } from '../samples.ts';

/** Requests of the turn before are answered within it. */
const SETTLE_MS = 50;
const COUNTED_MS = 200;
/** The length of a turn. */
export const TURN_MS = SETTLE_MS + COUNTED_MS;

/** The numbers of pairs of turns, and the file that gets the `TurnRates`. */
export interface TurnsPlan {
  /** Not counted: the code of both is compiled meanwhile. */
  readonly warmUpPairCount: number;
  readonly pairCount: number;
  readonly file: string;
}

/** Over all turns of one kind. */
interface TurnRate {
  readonly answersPerSecond: number;
  /** Processor time of the process. */
  readonly cpuUsPerAnswer: number;
}

export interface TurnRates {
  readonly on: TurnRate;
  readonly off: TurnRate;
}

/** Something that this process can do with and without. It is on until the first turn. */
export interface Toggle {
  switchTo(isOn: boolean): void;
  /** Does, at the end of a turn with it, what would otherwise weigh on a turn without. */
  finish(): Promise<void>;
}

const toggles: Toggle[] = [];

/** All toggles of a process switch together. Turns begin on SIGUSR2, by the plan in the environment's `BENCH_TURNS`. */
export function addToggle(toggle: Pick<Toggle, 'switchTo'> & Partial<Toggle>): void {
  if (toggles.length === 0) process.once('SIGUSR2', () => void takePlannedTurns());
  toggles.push({ finish: () => Promise.resolve(), ...toggle });
}

const MS_PER_SECOND = 1_000;

class Total {
  readonly #isOn: boolean;
  #answers = 0;
  #ms = 0;
  #cpuUs = 0;

  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  async takeTurn(): Promise<void> {
    for (const toggle of toggles) toggle.switchTo(this.#isOn);
    await setTimeout(SETTLE_MS);
    const [startMs, startCount, startCpu] = [performance.now(), answerCount, process.cpuUsage()];
    await setTimeout(COUNTED_MS);
    if (this.#isOn) await Promise.all(toggles.map((toggle) => toggle.finish()));
    const { user, system } = process.cpuUsage(startCpu);
    this.#answers += answerCount - startCount;
    this.#ms += performance.now() - startMs;
    this.#cpuUs += user + system;
  }

  rate(): TurnRate {
    return {
      answersPerSecond: Math.round((this.#answers * MS_PER_SECOND) / this.#ms),
      cpuUsPerAnswer: Math.round(this.#cpuUs / this.#answers),
    };
  }
}

let answerCount = 0;

async function takeTurns(pairCount: number): Promise<TurnRates> {
  const [on, off] = [new Total(true), new Total(false)];
  for (let pair = 1; pair <= pairCount; pair++) {
    for (const total of shuffled([on, off])) await total.takeTurn();
  }
  return { on: on.rate(), off: off.rate() };
}

async function takePlannedTurns(): Promise<void> {
  const plan = JSON.parse(process.env['BENCH_TURNS'] ?? '') as TurnsPlan;
  subscribe('http.server.response.finish', () => {
    answerCount++;
  });
  await takeTurns(plan.warmUpPairCount);
  writeFileSync(plan.file, JSON.stringify(await takeTurns(plan.pairCount)));
}
