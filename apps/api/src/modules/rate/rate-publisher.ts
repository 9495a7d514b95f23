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
  readonly config: { readonly rateSource: RateSource };
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
}: Omit<PublisherDeps, 'log'>): Promise<RefusedRate | undefined> {
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

/**
 * Publishes at once and then regularly until stopped. While the source fails, or says what breaks a guard rail, the last rate
 * ages; once too old, it stops buying.
 */
export function startRatePublisher(deps: PublisherDeps): { stop(): Promise<void> } {
  const { clock, log } = deps;
  let alarmDueAtMs = clock.nowMs();
  const raiseAlarm = ({ guardRail, usdPerAth }: RefusedRate): void => {
    if (clock.nowMs() < alarmDueAtMs) return;
    alarmDueAtMs = clock.nowMs() + ALARM_INTERVAL_MS;
    log.error(
      { alarm: 'rate_refused', guardRail, usdPerAth: rateText(usdPerAth) },
      'a rate was not published',
    );
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const round = (): void => {
    running = publishRate(deps)
      .then((refused) => refused && raiseAlarm(refused))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'the exchange rate could not be published'),
      )
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
