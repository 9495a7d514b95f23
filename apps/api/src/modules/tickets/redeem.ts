/**
 * Redeems each item once, however many requests ask for it. The facts are read first; then one statement writes everything on the
 * condition that they are still true. If they are not, the attempt starts over.
 */
import { createHash } from 'node:crypto';
import { redeemAnswer, type Redemption } from '@athos/contract/scanner/calls';
import type { LiveEventSource } from '../../capability.ts';
import { AppError } from '../../platform/errors.ts';
import { requireReleased } from '../../platform/settings/brakes.ts';
import {
  beginAttempt,
  judgeItems,
  logRefusal,
  presentItem,
  requireCode,
  requireMayRedeem,
  requireOwnClaim,
  requireStaff,
  requireTime,
  requireVenue,
  summarizeItems,
  type Attempt,
  type AttemptDeps,
  type ScannedItem,
} from './attempt.ts';
import type { Claim, Holder, KeptRedemption, Venue } from './attempt-facts.sql.ts';
import type { ReadCode } from './read-code.ts';
import { insertRedemption, selectRedeemedItems } from './redeem-items.sql.ts';
import { insertClaim, insertRepeatedScan, selectClaim, type ScanRecord } from './scans.sql.ts';

interface RedeemRequest {
  readonly userId: bigint;
  readonly payload: string;
  readonly venueId: number | undefined;
  /** The items of the code to redeem; `undefined` means all. */
  readonly itemIds: readonly number[] | undefined;
  readonly key: string;
  /** The scanner; null if unknown. */
  readonly deviceId: string | null;
}

interface Redeeming {
  readonly attempt: Attempt;
  readonly request: RedeemRequest;
  readonly venue: Venue;
  readonly holder: Holder;
}

/**
 * The number of other changes during an attempt, in addition to one per item: the key may be used, the holder's account closed and
 * redemption held. An item may change more often, since staff can reverse its redemption, but that takes a person each time.
 */
const OTHER_CHANGES_MAX = 3;

/** Distinguishes a replay from a different request with the same key. */
const hashOfRequest = ({ payload, venueId, itemIds }: RedeemRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([payload, venueId ?? null, itemIds ?? null]))
    .digest();

/**
 * Redeems the items of a code and returns the outcome of each. Throws the AppError of the first guard that fails, and `try_again` if
 * the facts change in every round.
 */
export async function redeemItems(deps: AttemptDeps, request: RedeemRequest): Promise<Redemption> {
  const attempt = await beginAttempt(deps, { ...request, action: 'redeem' });
  const { names } = attempt;
  const redemption = await logRefusal(deps.db, attempt, async () => {
    let { facts } = attempt;
    for (let round = 0; round <= names.itemIds.length + OTHER_CHANGES_MAX; round++) {
      const answer = await tryToRedeem(deps, { ...attempt, facts }, request);
      if (answer !== undefined) return answer;
      facts = await deps.readFacts(names);
    }
    return undefined;
  });
  // Not logged, because nothing was decided and the scanner repeats the attempt with its key.
  if (redemption === undefined) throw new AppError('try_again', { retryAfterSeconds: 1 });
  return redemption;
}

/**
 * Guards in order: replay, staff, venue, code, claim, time, brake, state of the holder; then the state of each item. A refusal does not
 * use up the key. Returns `undefined` if the facts have changed since they were read.
 */
async function tryToRedeem(
  deps: AttemptDeps,
  attempt: Attempt,
  request: RedeemRequest,
): Promise<Redemption | undefined> {
  const { facts, record } = attempt;
  if (facts.redemption !== undefined) {
    return replay(deps, { record, request, kept: facts.redemption });
  }
  requireStaff(facts.venues);
  const venue = requireVenue(facts.venues, request.venueId);
  const { code, holder } = requireCode(attempt, ['purchase']);
  const own = { userId: request.userId, venueId: venue.id };
  requireOwnClaim(facts.claim, own);
  requireTime(code, record.at, { mayRedeemLater: facts.claim !== undefined });
  await requireReleased(deps.programme, 'redeeming');
  requireMayRedeem(holder);
  if (facts.claim === undefined) await claimCode(deps, { code, own, at: record.at });
  // Only the items in the code were read, so any other id is reported as not found.
  const itemIds = [...new Set(request.itemIds ?? code.itemIds)];
  const items = judgeItems(itemIds, facts.items, { holder, venue });
  return storeRedemption(deps, { attempt, request, venue, holder }, items);
}

/**
 * Redeeming a code that was not scanned before counts as its first scan. The claim is committed before anything is redeemed, so
 * that a retry after a broken connection still counts as in time. Throws `code_replayed` if another scanner has just claimed it.
 */
async function claimCode(
  { db }: AttemptDeps,
  { code, own, at }: { readonly code: ReadCode; readonly own: Claim; readonly at: Date },
): Promise<void> {
  if (await insertClaim(db, { ...own, codeHash: code.hash, at })) return;
  requireOwnClaim(await selectClaim(db, code.hash), own);
}

/** Redeems the items that were redeemable when read, all or nothing. Returns `undefined` if that has changed. */
async function storeRedemption(
  { db, notifications }: AttemptDeps,
  { attempt, request, venue, holder }: Redeeming,
  items: readonly ScannedItem[],
): Promise<Redemption | undefined> {
  const { at } = attempt.record;
  const redeemedIds = items.flatMap(({ id, state }) => (state === 'redeemable' ? [id] : []));
  const answer: Redemption = {
    redeemed_count: redeemedIds.length,
    results: items.map((item) => presentResult(item, at, venue)),
  };
  const redemptionId = await insertRedemption(
    db,
    {
      userId: request.userId,
      key: request.key,
      requestHash: hashOfRequest(request),
      venueId: venue.id,
      answer,
      at,
      holderUserId: holder.userId,
      itemIds: redeemedIds,
      deviceId: request.deviceId,
    },
    { ...attempt.record, ...summarizeItems(items), redeemedCount: redeemedIds.length },
  );
  if (redemptionId === undefined) return undefined;
  if (redeemedIds.length > 0) {
    notifications.announce(redemptionEvents.channel, `${holder.userId} ${redemptionId}`);
  }
  return answer;
}

function presentResult(item: ScannedItem, at: Date, venue: Venue): Redemption['results'][number] {
  const shown = presentItem(item);
  return item.state === 'redeemable'
    ? {
        item_id: item.id,
        outcome: 'redeemed',
        ...shown,
        redeemed_at: at.toISOString(),
        redeemed_venue: venue.name,
      }
    : { item_id: item.id, outcome: item.state, ...shown };
}

interface Replay {
  readonly record: ScanRecord;
  readonly request: RedeemRequest;
  readonly kept: KeptRedemption;
}

/**
 * Returns the first response again; `undefined` if the redemption is gone since it was read. Throws `idempotency_key_reused` if the key
 * belongs to another request.
 */
async function replay(
  { db }: AttemptDeps,
  { record, request, kept }: Replay,
): Promise<Redemption | undefined> {
  if (!kept.requestHash.equals(hashOfRequest(request))) {
    throw new AppError('idempotency_key_reused', {
      detail: 'Nothing was redeemed. Use a new key for another code or other items.',
    });
  }
  const isKept = await insertRepeatedScan(db, { ...record, venueId: kept.venueId }, request.key);
  if (!isKept) return undefined;
  return redeemAnswer.parse(kept.answer);
}

/** Shows the holder the redeemed items while the code is still on the screen, and the items that are still redeemed after a reversal. */
export const redemptionEvents: LiveEventSource = {
  channel: 'items_redeemed',
  async read(db, redemptionId) {
    const items = await selectRedeemedItems(db, BigInt(redemptionId));
    return {
      type: 'redeemed',
      items: items.map(({ id, purchaseId, redeemedAt, venue }) => ({
        id: Number(id),
        purchase_id: Number(purchaseId),
        redeemed_at: redeemedAt.toISOString(),
        venue,
      })),
    };
  },
};
