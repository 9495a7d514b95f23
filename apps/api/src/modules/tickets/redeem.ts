import { createHash } from 'node:crypto';
import { redeemAnswer, type Redemption } from '@athos/contract/scanner/calls';
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
import type { ReadCode } from './read-code.ts';
import {
  insertClaim,
  insertRedemption,
  insertScan,
  selectClaim,
  type ScanRecord,
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
}

/** Besides the redemption of each item: the use of the key, and the end of the holder's account. */
const MORE_CHANGES = 2;

/** Of the request as it was sent, so that the same key with another body is told from a repeat. */
const hashOfRequest = ({ payload, venueId, itemIds }: RedeemRequest): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([payload, venueId ?? null, itemIds ?? null]))
    .digest();

/**
 * Redeems the items of a code, each of them once however often and by whomever it is asked for, and answers what became
 * of each. Where something that was read has changed before it could be written, everything is looked at again.
 */
export async function redeemItems(deps: AttemptDeps, request: RedeemRequest): Promise<Redemption> {
  const attempt = await beginAttempt(deps, { ...request, action: 'redeem' });
  const { names } = attempt;
  return keepingRefusal(deps.db, attempt, async () => {
    let { facts } = attempt;
    for (let round = 0; round <= names.itemIds.length + MORE_CHANGES; round++) {
      const answer = await tryToRedeem(deps, { ...attempt, facts }, request);
      if (answer !== undefined) return answer;
      facts = await selectAttemptFacts(deps.db, names);
    }
    invariant(false, 'what is redeemed, answered or closed stays so');
  });
}

/**
 * Guards in order: staff, replay of the key, venue, code, claim, time, state of the holder; then each item's own. A refusal
 * consumes no key. `undefined` where another was quicker.
 */
async function tryToRedeem(
  deps: AttemptDeps,
  attempt: Attempt,
  request: RedeemRequest,
): Promise<Redemption | undefined> {
  const { facts, record } = attempt;
  requireStaff(facts.venues);
  if (facts.redemption !== undefined) {
    return replay(deps, { record, request, kept: facts.redemption });
  }
  const venue = requireVenue(facts.venues, request.venueId);
  const { code, holder } = requireCode(attempt, ['purchase']);
  const own = { userId: request.userId, venueId: venue.id };
  requireOwnClaim(facts.claim, own);
  requireTime(code, record.at, { mayRedeemLater: facts.claim !== undefined });
  requireMayRedeem(holder);
  if (facts.claim === undefined) await claimCode(deps, { code, own, at: record.at });
  // An id that the holder did not put into the code is nobody's business here, whosever it is.
  const itemIds = [...new Set(request.itemIds ?? code.itemIds)];
  const items = judgeItems(itemIds, facts.items, { holder, venue });
  return keepRedemption(deps, { attempt, request, venue, holder }, items);
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

/** All or nothing: redeems what can be, as it was read. `undefined` where that is not true any more. */
async function keepRedemption(
  { db }: AttemptDeps,
  { attempt, request, venue, holder }: Redeeming,
  items: readonly ScannedItem[],
): Promise<Redemption | undefined> {
  const { at } = attempt.record;
  const redeemedIds = items.flatMap(({ id, state }) => (state === 'redeemable' ? [id] : []));
  const answer: Redemption = {
    redeemed_count: redeemedIds.length,
    results: items.map((item) => presentResult(item, at, venue)),
  };
  const isKept = await insertRedemption(
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
  return isKept ? answer : undefined;
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

interface Repeat {
  readonly record: ScanRecord;
  readonly request: RedeemRequest;
  readonly kept: KeptRedemption;
}

/** The first answer again. Throws `idempotency_key_reused` where the key belongs to another request. */
async function replay({ db }: AttemptDeps, { record, request, kept }: Repeat): Promise<Redemption> {
  if (!kept.requestHash.equals(hashOfRequest(request))) {
    throw new AppError('idempotency_key_reused', {
      detail: 'Nothing was redeemed. Use a new key for another code or other items.',
    });
  }
  await insertScan(db, { ...record, venueId: kept.venueId });
  return redeemAnswer.parse(kept.answer);
}
