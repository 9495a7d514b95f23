import { randomFillSync } from 'node:crypto';
import { rateText, type Rate } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import type { RateSource } from '../../config/rate.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { startRounds, type Rounds } from '../../platform/rounds.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { askForDecision, endOwnRequest, selectOwnRequest } from '../approvals/index.ts';
import { brokenGuardRail, type GuardRail } from './rate-guards.ts';
import { endScheduledRate, selectWaitingRates } from './rate-schedule.sql.ts';
import { readSource } from './rate-source.ts';
import { refusedAction, refusedRate } from './rate.actions.ts';
import { selectRateHistory, tryLockPublishing, upsertRate } from './rate.sql.ts';

/** The interval at which wallets poll the rate (spec 7). */
const PUBLISH_INTERVAL_MS = 6_000;
/** The minimum pause, so that a scheduled rate that cannot be published is not retried in a tight loop. */
const ROUND_MIN_MS = 1_000;
/** Often enough to be noticed, and rarely enough not to fill the log. */
const ALARM_INTERVAL_MS = 600_000;

/** The time before another request can follow one that has ended. A source may return another rate every few seconds. */
const ASK_AGAIN_AFTER_MS = 600_000;
/** The time for which a rejected rate is not requested again. */
const REJECTED_FOR_MS = 24 * 60 * 60_000;

interface PublisherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly programme: ReadProgramme;
  readonly config: { readonly rateSource: RateSource; readonly rateMaxAgeMs: number };
}

type RoundDeps = Pick<PublisherDeps, 'db' | 'clock' | 'programme'> & {
  readonly config: Pick<PublisherDeps['config'], 'rateSource'>;
};

interface RefusedRate {
  readonly usdPerAth: Rate;
  readonly guardRail: GuardRail;
}

/** The current rate of a source. */
interface Said {
  readonly usdPerAth: Rate;
  readonly isByVote: boolean;
  /** The row of the schedule with this rate. */
  readonly scheduledId?: string;
}

/**
 * The rate that staff have published by hand: the latest one that is due, otherwise the one in force. `undefined` while they are deciding
 * on a refused rate, so that the one in force ages as if a source failed.
 */
async function readSchedule(tx: Tx, now: Date): Promise<Said | undefined> {
  const due = (await selectWaitingRates(tx)).filter(
    ({ inForceFrom }) => inForceFrom.getTime() <= now.getTime(),
  );
  const latest = due.at(-1);
  for (const { id } of due.slice(0, -1)) {
    await endScheduledRate(tx, id, { state: 'skipped', at: now });
  }
  if (latest !== undefined) return { ...latest, scheduledId: latest.id };
  if ((await selectOwnRequest(tx, refusedAction.name))?.state === 'pending') return undefined;
  const current = await selectRateHistory(tx, now);
  if (current === undefined) throw new Error('no rate was published by hand yet');
  return { usdPerAth: current.current, isByVote: current.isByVote };
}

/** Whether staff are deciding on a rate of the source, or have recently done so. */
async function isAsked(deps: RoundDeps, tx: Tx, text: string): Promise<boolean> {
  const last = await selectOwnRequest(tx, refusedAction.name);
  if (last === undefined) return false;
  if (last.ended_at === null) return true;
  const endedForMs = deps.clock.nowMs() - last.ended_at.getTime();
  const asked = refusedRate.parse(JSON.parse(last.payload));
  const isRejected = last.state === 'rejected' && asked.usd_per_ath === text;
  return endedForMs < (isRejected ? REJECTED_FOR_MS : ASK_AGAIN_AFTER_MS);
}

/**
 * Requests a decision of staff on a refused rate. It is always requested for a scheduled rate, because the schedule offers each rate only
 * once.
 */
async function askStaff(
  deps: RoundDeps,
  tx: Tx,
  { usdPerAth, guardRail }: RefusedRate,
): Promise<void> {
  const text = rateText(usdPerAth);
  if (deps.config.rateSource.kind === 'console') await stopAsking(deps, tx);
  else if (await isAsked(deps, tx, text)) return;
  await askForDecision(deps, tx, refusedAction, {
    id: uuidv7(deps.clock.nowMs(), (bytes) => randomFillSync(bytes)),
    payload: { usd_per_ath: text, guard_rail: guardRail, source: deps.config.rateSource.kind },
    reason: 'A source says a rate that breaks a guard rail.',
  });
}

/** Ends the open request about an earlier rate of the source. */
async function stopAsking(deps: RoundDeps, tx: Tx): Promise<void> {
  const last = await selectOwnRequest(tx, refusedAction.name);
  if (last?.state === 'pending') await endOwnRequest(deps, tx, last.id);
}

/**
 * Reads the source once and publishes its rate, unless that would break a guard rail: then a decision of staff is requested. If several
 * processes try at the same time, only one of them publishes.
 */
export async function publishRate(deps: RoundDeps): Promise<RefusedRate | undefined> {
  const { db, clock, config, programme } = deps;
  const { rateSource: source } = config;
  // Read before the transaction, so that no lock is held while a slow source answers.
  const heard = source.kind === 'console' ? undefined : await readSource(source, clock.nowMs());
  const settings = await programme();
  return db.transaction().execute(async (tx) => {
    if (!(await tryLockPublishing(tx))) return undefined;
    const now = dateOf(clock);
    const said =
      heard === undefined
        ? await readSchedule(tx, now)
        : { usdPerAth: heard, isByVote: false, scheduledId: undefined };
    if (said === undefined) return undefined;
    const { usdPerAth, scheduledId } = said;
    const isByVote = said.isByVote && scheduledId !== undefined;
    const guardRail = isByVote
      ? undefined
      : brokenGuardRail(usdPerAth, await selectRateHistory(tx, now), settings);
    if (scheduledId !== undefined) {
      const state = guardRail === undefined ? 'published' : 'refused';
      await endScheduledRate(tx, scheduledId, { state, at: now });
    }
    if (guardRail !== undefined) {
      await askStaff(deps, tx, { usdPerAth, guardRail });
      return { usdPerAth, guardRail };
    }
    await upsertRate(tx, usdPerAth, now, { isByVote });
    await stopAsking(deps, tx);
    return undefined;
  });
}

/** The time until the interval is over, or until the next scheduled rate is due. */
async function untilNextRound({ db, clock, config }: PublisherDeps): Promise<number> {
  if (config.rateSource.kind !== 'console') return PUBLISH_INTERVAL_MS;
  // A failure only means that the rate is published up to an interval late.
  const [next] = await selectWaitingRates(db).catch(() => []);
  const waitMs = (next?.inForceFrom.getTime() ?? Infinity) - clock.nowMs();
  return Math.min(Math.max(waitMs, ROUND_MIN_MS), PUBLISH_INTERVAL_MS);
}

/** Returns a function that writes an alarm to the log, unless it has recently done so. */
function createAlarm({ clock, log }: PublisherDeps): (facts: object, message: string) => void {
  let dueAtMs = clock.nowMs();
  return (facts, message) => {
    if (clock.nowMs() < dueAtMs) return;
    dueAtMs = clock.nowMs() + ALARM_INTERVAL_MS;
    log.error(facts, message);
  };
}

/**
 * Publishes at once and then regularly until stopped. While the source fails, or returns a rate that breaks a guard rail, the last rate
 * ages; once it is too old, buying stops.
 */
export function startRatePublisher(deps: PublisherDeps): Rounds {
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

  return startRounds(async () => {
    await publishRate(deps).then(hear).catch(miss);
    return untilNextRound(deps);
  });
}
