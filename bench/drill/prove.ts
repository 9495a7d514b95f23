/** Checks of a restored copy: its books, the anchored head in its chain, and the card provider's list of payments. */
import type { AnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import {
  comparePaymentsOfCopy,
  type CardProvider,
} from '../../apps/api/src/modules/cards/index.ts';
import { skipLostIds } from '../../apps/api/src/ledger/index.ts';
import { verifyLedger } from '../../apps/api/src/ledger/verify.ts';
import { openDatabase } from '../../apps/api/src/platform/database/database.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import type { FoundBackup } from './backup-source.ts';
import type { Copy } from './restore.ts';

/** The goals of docs/operating.md, "Backups". */
const RPO_MAX_SECONDS = 60;
/**
 * A system that nobody uses commits once a minute, for its workers. So its last commit may be this much older than the RPO when nothing is
 * lost. What was posted tells more: see `lostMovements`.
 */
const QUIET_MAX_SECONDS = 60;
const MS_PER_SECOND = 1_000;
const RTO_MAX_SECONDS = 15 * 60;
const BYTES_PER_SECOND_MIN = 200_000_000;

/** An anchor is written each minute. If the last one is older than a day, the copy cannot be checked against it. */
const ANCHOR_AGE_MAX_MS = 24 * 60 * 60_000;
/** Commits of the same moment may be in the WAL in another order than their times. */
const COMMIT_ORDER_MS = 1_000;

export interface Outside {
  readonly anchors: Pick<AnchorBucket, 'findLast'>;
  /** `undefined` if no payments are to be compared. */
  readonly cardProvider?: Pick<CardProvider, 'listIntents'> | undefined;
  readonly isProduction: boolean;
}

export interface Proof {
  /** Empty if the copy is good. */
  readonly faults: readonly string[];
  readonly lines: readonly string[];
}

const nameOf = ({ name, repository }: FoundBackup): string =>
  repository === undefined ? name : `${name} of repository ${repository}`;

export async function proveCopy(copy: Copy, outside: Outside): Promise<Proof> {
  const lines = [
    `restored ${nameOf(copy.backup)} up to ${copy.reachedAt.toISOString()}`,
    `RPO ${copy.rpoSeconds.toFixed(1)} s, RTO ${copy.rtoSeconds.toFixed(1)} s (${copy.megabytesPerSecond.toFixed(1)} MB/s)`,
  ];
  const faults = [...missedGoals(copy)];
  const lost = await lostMovements(copy, outside.anchors);
  const books = await proveBooks(copy, outside.anchors);
  const ids = await skipIds(copy, outside.anchors);
  const payments = await comparePayments(copy, outside);
  return {
    faults: [...faults, ...lost, ...books.faults, ...ids.faults, ...payments.faults],
    lines: [...lines, ...books.lines, ...ids.lines, ...payments.lines],
  };
}

/**
 * A restore to a chosen time says nothing about the goals: only a copy of everything archived shows the cost of losing all machines. How
 * long the other one took is in `lines`, and forbids nobody to restore to that time.
 */
function missedGoals({ isWhole, rpoSeconds, rtoSeconds, backup }: Copy): string[] {
  if (!isWhole) return [];
  const rpoMax = RPO_MAX_SECONDS + QUIET_MAX_SECONDS;
  const rtoMax = RTO_MAX_SECONDS + backup.bytes / BYTES_PER_SECOND_MIN;
  return [
    ...(rpoSeconds > rpoMax ? [`RPO is above ${rpoMax} s`] : []),
    ...(rtoSeconds > rtoMax ? [`RTO is above ${rtoMax.toFixed(0)} s`] : []),
  ];
}

/** Whatever was anchored longer than the RPO before the restore began has to be in a copy of everything archived. */
async function lostMovements(
  { databaseUrl, isWhole, askedFor }: Copy,
  anchors: Outside['anchors'],
): Promise<string[]> {
  if (!isWhole) return [];
  const to = new Date(askedFor.getTime() - RPO_MAX_SECONDS * MS_PER_SECOND);
  const from = new Date(to.getTime() - ANCHOR_AGE_MAX_MS);
  // A bucket that is away is reported by the proof of the books.
  const anchor = await anchors.findLast({ from, to }).catch(() => undefined);
  if (anchor === undefined) return [];
  const database = openDatabase(databaseUrl, createLog('silent'));
  try {
    const { rows } = await database.pool.query<{ has: boolean }>(
      'select coalesce(max(id), 0) >= $1 as has from ledger_transfers',
      [anchor.first_id],
    );
    return rows[0]?.has === true
      ? []
      : [`movements of ${anchor.at}, more than ${RPO_MAX_SECONDS} s old, are lost`];
  } finally {
    await database.close();
  }
}

async function proveBooks(
  { databaseUrl, reachedAt }: Copy,
  anchors: Outside['anchors'],
): Promise<Proof> {
  const to = new Date(reachedAt.getTime() - COMMIT_ORDER_MS);
  const from = new Date(to.getTime() - ANCHOR_AGE_MAX_MS);
  let anchor: Awaited<ReturnType<typeof anchors.findLast>>;
  try {
    anchor = await anchors.findLast({ from, to });
  } catch (error) {
    return { faults: [`the anchors cannot be read: ${String(error)}`], lines: [] };
  }
  const { fault, transferCount, head } = await verifyLedger({
    databaseUrl,
    knownHead: anchor?.hash,
  });
  const faults = fault === undefined ? [] : [`${fault.row} ${fault.reason}`];
  if (anchor === undefined)
    return { faults: [...faults, 'no anchor is at most a day older'], lines: [] };
  return {
    faults,
    lines: [
      `${transferCount} transfers, head ${head}`,
      `anchor of ${anchor.at}: batch ${anchor.first_id}, head ${anchor.hash}`,
    ],
  };
}

/** Tests the step that an operator must take before anything posts to a copy in service: skipping ids up to the last anchor. */
async function skipIds(
  { databaseUrl, reachedAt }: Copy,
  anchors: Outside['anchors'],
): Promise<Proof> {
  const database = openDatabase(databaseUrl, createLog('silent'));
  try {
    const from = new Date(reachedAt.getTime() - ANCHOR_AGE_MAX_MS);
    const last = await anchors.findLast({ from, to: new Date() });
    // Without an anchor, the copy has already failed.
    if (last === undefined) return { faults: [], lines: [] };
    const id = await database.db
      .transaction()
      .execute((tx) => skipLostIds(tx, BigInt(last.first_id)));
    return {
      faults: [],
      lines: [`ids go on from ${id}: batch ${last.first_id} is the last one that was anchored`],
    };
  } catch (error) {
    return { faults: [`ids cannot be made to go on: ${String(error)}`], lines: [] };
  } finally {
    await database.close();
  }
}

/** Reports differences without failing. The copy is sound, but the operator who puts it into service must settle them with the provider. */
async function comparePayments(
  { databaseUrl, backup, askedFor }: Copy,
  { cardProvider, isProduction }: Outside,
): Promise<Proof> {
  if (cardProvider === undefined) return { faults: [], lines: ['card payments were not compared'] };
  const database = openDatabase(databaseUrl, createLog('silent'));
  try {
    const range = { from: backup.startedAt, to: askedFor, isProduction };
    const { paidIntentIds, creditedOrderIds } = await comparePaymentsOfCopy(
      database.db,
      cardProvider,
      range,
    );
    return {
      faults: [],
      lines: [
        `${paidIntentIds.length} payments at the provider are without a credit here ${paidIntentIds.join(' ')}`.trim(),
        `${creditedOrderIds.length} credits are without a payment at the provider ${creditedOrderIds.join(' ')}`.trim(),
      ],
    };
  } catch (error) {
    return { faults: [`the payments cannot be compared: ${String(error)}`], lines: [] };
  } finally {
    await database.close();
  }
}
