import type { RateSource } from '../../config/rate.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { readSource } from './rate-source.ts';
import { tryLockPublishing, upsertRate } from './rate.sql.ts';

/** The interval at which wallets poll the rate (spec 7). */
const PUBLISH_INTERVAL_MS = 6_000;

interface PublisherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: { readonly rateSource: RateSource };
}

/** Reads the source once and publishes its rate. If several processes try at the same time, one of them publishes. */
export async function publishRate({ db, clock, config }: PublisherDeps): Promise<void> {
  // Read before the transaction, so that a slow source holds no lock.
  const usdPerAth = await readSource(config.rateSource, clock.nowMs());
  await db.transaction().execute(async (tx) => {
    if (await tryLockPublishing(tx)) await upsertRate(tx, usdPerAth, dateOf(clock));
  });
}

/** Publishes at once and then regularly until stopped. While the source fails, the rate ages; once too old, it stops buying. */
export function startRatePublisher(deps: PublisherDeps): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const round = (): void => {
    running = publishRate(deps)
      .catch((error: unknown) =>
        deps.log.warn({ err: error }, 'the exchange rate could not be published'),
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
