import { createHash } from 'node:crypto';
import { redeemAnswer, type Redemption } from '@athos/contract/schemas/scanner';
import type { Db } from '../../platform/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import {
  beginAttempt,
  keepingRefusal,
  requireCode,
  requireMayRedeem,
  requireOwnClaim,
  requireStaff,
  requireTime,
  requireVenue,
  type Attempt,
  type AttemptDeps,
} from './attempt.ts';
import { judgeItems, presentItem, summarizeItems, type ScannedItem } from './items.ts';
import { selectItems, type ItemRow } from './items.sql.ts';
import type { ReadCode } from './read-code.ts';
import {
  insertClaim,
  insertRedemption,
  insertScan,
  selectClaim,
  type RedemptionOutcome,
} from './scan-log.sql.ts';
import {
  selectAttemptFacts,
  type Claim,
  type Holder,
  type KeptRedemption,
  type Venue,
} from './staff.sql.ts';

interface RedeemRequest {
  readonly userId: bigint;
  readonly payload: string;
  readonly venueId: number | undefined;
  /** Of the items in the code; `undefined`: all of them. */
  readonly itemIds: readonly number[] | undefined;
  readonly key: string;
}

interface Redeeming {
  readonly attempt: Attempt;
  readonly request: RedeemRequest;
  readonly venue: Venue;
  readonly holder: Holder;
  readonly code: ReadCode;
}

/** Of the request as it was sent, so that the same key with another body is told from a repeat. */
const hashOfRequest = ({ payload, venueId, itemIds }: RedeemRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([payload, venueId ?? null, itemIds ?? null]))
    .digest();

/**
 * Redeems the items of a code, each of them once however often and by whomever it is asked for, and answers what became
 * of each. Guards in order: staff, replay of the key, venue, code, claim, time, state of the holder; then each item's own.
 * A refusal consumes no key.
 */
export async function redeemItems(deps: AttemptDeps, request: RedeemRequest): Promise<Redemption> {
  const attempt = await beginAttempt(deps, { ...request, action: 'redeem' });
  return keepingRefusal(deps.db, attempt, async () => {
    const { facts, record } = attempt;
    requireStaff(facts.venues);
    if (facts.redemption !== undefined) {
      return replay(deps, { attempt, request, kept: facts.redemption });
    }
    const venue = requireVenue(facts.venues, request.venueId);
    const { code, holder } = requireCode(attempt, ['purchase']);
    const own = { userId: request.userId, venueId: venue.id };
    requireOwnClaim(facts.claim, own);
    requireTime(code, record.at, { mayRedeemLater: facts.claim !== undefined });
    requireMayRedeem(holder);
    if (facts.claim === undefined) await claimCode(deps, { code, own, at: record.at });
    return (
      (await redeemOnce(deps, { attempt, request, venue, holder, code })) ??
      replay(deps, { attempt, request, kept: await keptNow(deps, request) })
    );
  });
}

/**
 * Redeeming without a look before is a scan itself. Claimed on its own, before anything is redeemed: so who was in time is
 * known also after a connection that broke. Throws `code_replayed` where another was first, a moment ago.
 */
async function claimCode(
  { db }: AttemptDeps,
  { code, own, at }: { readonly code: ReadCode; readonly own: Claim; readonly at: Date },
): Promise<void> {
  if (await insertClaim(db, { ...own, codeHash: code.hash, at })) return;
  requireOwnClaim(await selectClaim(db, code.hash), own);
}

/**
 * Redeems what can be redeemed. Where another is quicker with one of the items they are read again; since no item is ever
 * freed, each round has fewer to redeem. `undefined` where a request with the same key was quicker.
 */
async function redeemOnce(
  { db }: AttemptDeps,
  redeeming: Redeeming,
): Promise<Redemption | undefined> {
  const { attempt, code } = redeeming;
  let rows = attempt.items;
  for (let round = 0; round <= code.itemIds.length; round++) {
    const { outcome, answer } = await redeemAsRead(db, redeeming, rows);
    if (outcome === 'kept') return answer;
    if (outcome === 'key_taken') return undefined;
    rows = await selectItems(db, code.itemIds);
  }
  throw new Error('an item that is redeemed stays redeemed');
}

/** All or nothing: redeems what `rows` say can be, if that is still true. */
async function redeemAsRead(
  db: Db,
  { attempt, request, venue, holder, code }: Redeeming,
  rows: readonly ItemRow[],
): Promise<{ readonly outcome: RedemptionOutcome; readonly answer: Redemption }> {
  const { at } = attempt.record;
  // An id that the holder did not put into the code is nobody's business here, whosever it is.
  const itemIds = [...new Set(request.itemIds ?? code.itemIds)];
  const items = judgeItems(itemIds, rows, { holder, venue });
  const redeemedIds = items.flatMap(({ id, state }) => (state === 'redeemable' ? [id] : []));
  const answer: Redemption = {
    redeemed_count: redeemedIds.length,
    results: items.map((item) => presentResult(item, at, venue)),
  };
  const outcome = await insertRedemption(
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
    },
    { ...attempt.record, ...summarizeItems(items), redeemedCount: redeemedIds.length },
  );
  return { outcome, answer };
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

async function keptNow(
  { db }: AttemptDeps,
  { userId, key }: RedeemRequest,
): Promise<KeptRedemption> {
  const { redemption } = await selectAttemptFacts(db, {
    userId,
    key,
    holderUuid: null,
    codeHash: null,
  });
  invariant(redemption !== undefined, 'a key that is taken has its redemption');
  return redemption;
}

/** The first answer again. Throws `idempotency_key_reused` where the key belongs to another request. */
async function replay(
  { db }: AttemptDeps,
  {
    attempt,
    request,
    kept,
  }: { readonly attempt: Attempt; readonly request: RedeemRequest; readonly kept: KeptRedemption },
): Promise<Redemption> {
  if (!kept.requestHash.equals(hashOfRequest(request))) {
    throw new AppError('idempotency_key_reused', {
      detail: 'Nothing was redeemed. Use a new key for another code or other items.',
    });
  }
  await insertScan(db, { ...attempt.record, venueId: kept.venueId });
  return redeemAnswer.parse(kept.answer);
}
