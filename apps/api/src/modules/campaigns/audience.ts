/** Whose claims a campaign accepts. */
import type { CampaignAudience } from '@athos/contract/console/campaigns';
import { selectAccountsById, userAccountId } from '../../ledger/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import type { CampaignRow } from './campaigns.sql.ts';
import { selectSignUpTime, selectTierThreshold } from './audience.sql.ts';

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

/** Whether the user is in the campaign's audience now. Reads nothing for a campaign that is for everybody. */
export async function isInAudience(
  tx: Tx,
  campaign: AudienceColumns,
  { userId, now }: { readonly userId: bigint; readonly now: Date },
): Promise<boolean> {
  const audience = audienceOf(campaign);
  switch (audience.kind) {
    case 'all':
      return true;
    case 'tier': {
      const accountId = userAccountId(userId, 'ATH');
      const account = (await selectAccountsById(tx, [accountId])).get(accountId);
      const threshold = await selectTierThreshold(tx, audience.tier_id);
      return account !== undefined && account.balanceUnits >= threshold;
    }
    case 'new_accounts': {
      const signedUpAt = await selectSignUpTime(tx, userId);
      return now.getTime() - signedUpAt.getTime() <= audience.days * DAY_MS;
    }
  }
}
