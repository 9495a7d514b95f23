import { rateText, type Rate } from '@athos/domain/money';
import type { RateSource } from '../../config/rate.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { brokenGuardRail, type GuardRail } from './rate-guards.ts';
import { readSource } from './rate-source.ts';
import { selectRateHistory, tryLockPublishing, upsertRate } from './rate.sql.ts';

/** The interval at which wallets poll the rate (spec 7). */
const PUBLISH_INTERVAL_MS = 6_000;
/** Often enough for somebody to notice, and seldom enough not to fill the log. */
const ALARM_INTERVAL_MS = 600_000;

interface PublisherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly programme: ReadProgramme;
  readonly config: { readonly rateSource: RateSource; readonly rateMaxAgeMs: number };
}

interface RefusedRate {
  readonly usdPerAth: Rate;
  readonly guardRail: GuardRail;
}

/**
 * Reads the source once and publishes its rate, unless that would break a guard rail. If several processes try at the same time,
 * one of them publishes.
 */
export async function publishRate({
  db,
  clock,
  config,
  programme,
}: Pick<PublisherDeps, 'db' | 'clock' | 'programme'> & {
  readonly config: Pick<PublisherDeps['config'], 'rateSource'>;
}): Promise<RefusedRate | undefined> {
  // Read before the transaction, so that a slow source holds no lock.
  const usdPerAth = await readSource(config.rateSource, clock.nowMs());
  const settings = await programme();
  return db.transaction().execute(async (tx) => {
    if (!(await tryLockPublishing(tx))) return undefined;
    const now = dateOf(clock);
    const guardRail = brokenGuardRail(usdPerAth, await selectRateHistory(tx, now), settings);
    if (guardRail !== undefined) return { usdPerAth, guardRail };
    await upsertRate(tx, usdPerAth, now);
    return undefined;
  });
}

/** Returns a function that writes an alarm to the log, unless it has done so a short while ago. */
function createAlarm({ clock, log }: PublisherDeps): (facts: object, message: string) => void {
  let dueAtMs = clock.nowMs();
  return (facts, message) => {
    if (clock.nowMs() < dueAtMs) return;
    dueAtMs = clock.nowMs() + ALARM_INTERVAL_MS;
    log.error(facts, message);
  };
}

/**
 * Publishes at once and then regularly until stopped. While the source fails, or says what breaks a guard rail, the last rate
 * ages; once too old, it stops buying.
 */
export function startRatePublisher(deps: PublisherDeps): { stop(): Promise<void> } {
  const { clock, config, log } = deps;
  const reportRefused = createAlarm(deps);
  const reportMissing = createAlarm(deps);
  let heardAtMs = clock.nowMs();

  function hear(refused: RefusedRate | undefined): void {
    heardAtMs = clock.nowMs();
    if (refused === undefined) return;
    const { guardRail, usdPerAth } = refused;
    const facts = { alarm: 'rate_refused', guardRail, usdPerAth: rateText(usdPerAth) };
    reportRefused(facts, 'a rate was not published');
  }

  function miss(error: unknown): void {
    log.warn({ err: error }, 'the exchange rate could not be published');
    if (clock.nowMs() - heardAtMs < config.rateMaxAgeMs) return;
    reportMissing({ alarm: 'rate_missing', err: error }, 'nobody can buy without a rate');
  }

  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const round = (): void => {
    running = publishRate(deps)
      .then(hear)
      .catch(miss)
      .then(() => {
        if (!isStopped) timer = setTimeout(round, PUBLISH_INTERVAL_MS);
      });
  };
  round();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
