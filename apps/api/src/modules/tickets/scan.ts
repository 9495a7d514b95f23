/** Scanning shows what a code contains, claims the code for this scanner and venue, and changes nothing else. */
import type { Scan } from '@athos/contract/scanner/calls';
import { microAth } from '@athos/domain/money';
import { currentTier } from '@athos/domain/tiers';
import { userAccountId } from '../../ledger/index.ts';
import { presentTier, selectTiers } from '../shop/index.ts';
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
  type GoodCode,
} from './attempt.ts';
import type { Claim, Holder, Venue } from './attempt-facts.sql.ts';
import { redeemUntilMs, type ReadCode } from './read-code.ts';
import { insertClaimedScan, insertScan, selectClaim, type ScanRecord } from './scans.sql.ts';

interface ScanRequest {
  readonly userId: bigint;
  readonly payload: string;
  readonly venueId: number | undefined;
}

interface Shown {
  readonly answer: Scan;
  readonly record: Pick<ScanRecord, 'outcome' | 'itemCount' | 'titles'>;
}

/**
 * Shows what a code contains. Guards in order: staff, venue, code, claim, time, state of the holder. Throws the AppError of the
 * first guard that fails.
 */
export async function scanCode(deps: AttemptDeps, request: ScanRequest): Promise<Scan> {
  const { db } = deps;
  const attempt = await beginAttempt(deps, { ...request, action: 'scan', key: null });
  return logRefusal(db, attempt, async () => {
    const { facts, record } = attempt;
    requireStaff(facts.venues);
    const venue = requireVenue(facts.venues, request.venueId);
    const good = requireCode(attempt, ['purchase', 'tier']);
    const own = { userId: request.userId, venueId: venue.id };
    requireOwnClaim(facts.claim, own);
    requireTime(good.code, record.at, { mayRedeemLater: false });
    const shown =
      good.code.kind === 'tier' ? await showTier(deps, good) : showItems(attempt, good, venue);
    await storeScan(deps, own, { claim: facts.claim, record: { ...record, ...shown.record } });
    return shown.answer;
  });
}

const presentHolder = (holder: Holder, { shortUuid }: ReadCode) => ({
  short_uuid: shortUuid,
  member_since: holder.createdAt.toISOString(),
});

function showItems({ facts }: Attempt, { code, holder }: GoodCode, venue: Venue): Shown {
  requireMayRedeem(holder);
  const items = judgeItems(code.itemIds, facts.items, { holder, venue });
  return {
    answer: {
      kind: 'purchase',
      holder: presentHolder(holder, code),
      redeem_until: new Date(redeemUntilMs(code)).toISOString(),
      items: items.map((item) => ({ id: item.id, state: item.state, ...presentItem(item) })),
    },
    record: summarizeItems(items),
  };
}

async function showTier({ db, ledger }: AttemptDeps, { code, holder }: GoodCode): Promise<Shown> {
  const accountId = userAccountId(holder.userId, 'ATH');
  const [tiers, balances] = await Promise.all([selectTiers(db), ledger.balances([accountId])]);
  const tier = currentTier(tiers, microAth(balances.get(accountId) ?? 0n));
  return {
    answer: {
      kind: 'tier',
      holder: presentHolder(holder, code),
      tier: tier === undefined ? null : presentTier(tier),
    },
    record: { outcome: 'ok', itemCount: 0, titles: [] },
  };
}

/** Logs the scan; the first scan claims the code. Throws `code_replayed` if another scanner has just claimed it. */
async function storeScan(
  { db }: AttemptDeps,
  own: Claim,
  { claim, record }: { readonly claim: Claim | undefined; readonly record: ScanRecord },
): Promise<void> {
  const { codeHash, at } = record;
  if (claim === undefined && codeHash !== null) {
    if (await insertClaimedScan(db, { ...own, codeHash, at }, record)) return;
    requireOwnClaim(await selectClaim(db, codeHash), own);
  }
  await insertScan(db, record);
}
