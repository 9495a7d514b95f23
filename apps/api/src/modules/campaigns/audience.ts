/** The users from whom a campaign accepts claims. */
import type { CampaignAudience } from '@athos/contract/console/campaigns';
import { selectAccountsById, userAccountId } from '../../ledger/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import type { CampaignRow } from './campaigns.sql.ts';
import { selectSignUpTimes, selectTierThresholds } from './audience.sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

type AudienceColumns = Pick<CampaignRow, 'audience' | 'audience_tier_id' | 'audience_days'>;

export function audienceOf(row: AudienceColumns): CampaignAudience {
  switch (row.audience) {
    case 'all':
      return { kind: 'all' };
    case 'tier':
      invariant(row.audience_tier_id !== null, 'an audience from a tier on names the tier');
      return { kind: 'tier', tier_id: row.audience_tier_id };
    case 'new_accounts':
      invariant(row.audience_days !== null, 'an audience of new accounts names their age');
      return { kind: 'new_accounts', days: row.audience_days };
  }
}

export const audienceColumns = (audience: CampaignAudience): AudienceColumns => ({
  audience: audience.kind,
  audience_tier_id: audience.kind === 'tier' ? audience.tier_id : null,
  audience_days: audience.kind === 'new_accounts' ? audience.days : null,
});

interface Claimant {
  readonly userId: bigint;
  readonly campaign: AudienceColumns;
}

/**
 * Returns which of the users are currently in the audience of the campaign from which they claim. Reads nothing for campaigns that are
 * open to everybody.
 */
export async function readAudience(
  tx: Tx,
  claimants: readonly Claimant[],
  now: Date,
): Promise<(userId: bigint) => boolean> {
  const audiences = claimants.map(({ userId, campaign }) => ({
    userId,
    audience: audienceOf(campaign),
  }));
  const byTier = audiences.filter(({ audience }) => audience.kind === 'tier');
  const byAge = audiences.filter(({ audience }) => audience.kind === 'new_accounts');
  const tierIds = audiences.flatMap(({ audience }) =>
    audience.kind === 'tier' ? [audience.tier_id] : [],
  );
  const athAccount = (userId: bigint) => userAccountId(userId, 'ATH');
  const thresholds = byTier.length === 0 ? undefined : await selectTierThresholds(tx, tierIds);
  const accounts =
    byTier.length === 0
      ? undefined
      : await selectAccountsById(
          tx,
          byTier.map(({ userId }) => athAccount(userId)),
        );
  const signUps =
    byAge.length === 0
      ? undefined
      : await selectSignUpTimes(
          tx,
          byAge.map(({ userId }) => userId),
        );
  const accepted = audiences.filter(({ userId, audience }) => {
    switch (audience.kind) {
      case 'all':
        return true;
      case 'tier': {
        const threshold = thresholds?.get(audience.tier_id);
        const balance = accounts?.get(athAccount(userId))?.balanceUnits;
        return threshold !== undefined && balance !== undefined && balance >= threshold;
      }
      case 'new_accounts': {
        const signedUpMs = signUps?.get(userId)?.getTime() ?? 0;
        return now.getTime() - signedUpMs <= audience.days * DAY_MS;
      }
    }
  });
  const userIds = new Set(accepted.map(({ userId }) => userId));
  return (userId) => userIds.has(userId);
}
