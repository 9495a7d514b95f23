/** Seals the journal in the worker. It is not a job, so that a stalled queue does not stop it. */
import { Gauge } from 'prom-client';
import type { Log } from '../../platform/log/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { startRounds, type Rounds } from '../../platform/rounds.ts';
import { createSaltKeys } from './leaf.ts';
import { sealNext, selectUnsealedSince, type SealDeps } from './seal-journal.ts';

const ROUND_MS = 15_000;
/** The pause after a full seal, when more remains to be sealed. It leaves most of a core to the worker's other tasks meanwhile. */
const NEXT_SEAL_MS = 100;
/** Every movement must be sealed within this time. */
const LATE_MAX_SECONDS = 600;
const ALARM_INTERVAL_MS = 600_000;

interface SealingDeps extends Omit<SealDeps, 'saltKeys' | 'sealAfterMs'> {
  readonly log: Log;
  readonly config: { readonly receiptKeys: readonly Buffer[]; readonly sealAfterMs: number };
}

/** The time in seconds that the oldest movement has waited for its seal; 0 if all are sealed. */
async function waitOf({ db, clock }: Pick<SealDeps, 'db' | 'clock'>): Promise<number> {
  const since = (await selectUnsealedSince(db))?.getTime() ?? Infinity;
  return Math.max(0, (clock.nowMs() - since) / 1_000);
}

/** Reports how long the oldest movement has waited for its seal. Reports nothing while the database does not answer. */
export function watchSeals(
  { registry }: Pick<Metrics, 'registry'>,
  deps: Pick<SealDeps, 'db' | 'clock'>,
): void {
  const waited = new Gauge({
    name: 'athos_unsealed_seconds',
    help: 'How long the oldest movement has waited for its seal.',
    registers: [registry],
    async collect() {
      this.set(await waitOf(deps).catch(() => NaN));
    },
  });
  waited.set(NaN);
}

/** Returns a function that raises the alarm `seals_late` while a movement has waited for too long. */
function createWatch({ clock, log, ...deps }: SealingDeps): () => Promise<void> {
  let alarmAtMs = -Infinity;
  return async () => {
    const waitedSeconds = await waitOf({ ...deps, clock });
    if (waitedSeconds <= LATE_MAX_SECONDS || clock.nowMs() < alarmAtMs) return;
    alarmAtMs = clock.nowMs() + ALARM_INTERVAL_MS;
    log.error({ alarm: 'seals_late', waitedSeconds }, 'movements wait for their seal');
  };
}

/** Makes one round: the next seal if one is due, and the alarm. Resolves with the milliseconds until the next round. */
export function createSealRound(deps: SealingDeps): () => Promise<number> {
  const { log, config } = deps;
  const { sealAfterMs } = config;
  const saltKeys = createSaltKeys(config.receiptKeys);
  const watch = createWatch(deps);
  return async () => {
    let pauseMs = ROUND_MS;
    try {
      if ((await sealNext({ ...deps, saltKeys, sealAfterMs })) === 'sealed') pauseMs = NEXT_SEAL_MS;
    } catch (error) {
      log.warn({ err: error }, 'the journal could not be sealed');
    }
    await watch().catch(() => undefined);
    return pauseMs;
  };
}

/** Seals at once and then regularly, until stopped. */
export const startSealing = (deps: SealingDeps): Rounds => startRounds(createSealRound(deps));
