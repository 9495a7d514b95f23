/**
 * Claims of different users in one transaction: the locks of the campaign and the ledger are taken, and the commit is awaited, once for
 * all of them. Each claim is decided separately, in order of arrival, as if the earlier ones were already made.
 */
import { randomFillSync } from 'node:crypto';
import { microAth } from '@athos/domain/money';
import { uuidv7 } from '@athos/domain/uuid';
import {
  campaignAccountId,
  selectAccountsById,
  type GroupTransferRequest,
  type Ledger,
  type LedgerAccount,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { commitEarly } from '../../platform/database/early-commit.ts';
import { pipelined } from '../../platform/database/pipelined.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { lockUsers } from '../identity/index.ts';
import { pay, type Refused, type RefusalWords } from '../transfers/index.ts';
import { readAudience } from './audience.ts';
import { claimTransfer } from './books.ts';
import type { CampaignRow, ClaimRow, StoredCode } from './campaigns.sql.ts';
import {
  insertClaims,
  lockCampaigns,
  selectClaimsByKeys,
  selectCodes,
  selectCodesUsed,
  type CodeRow,
} from './claims.sql.ts';
import { NOTHING_CREDITED } from './guess-limits.ts';

export interface ClaimDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ledger: Ledger;
}

/** A claim of a code that exists. */
export interface CodeClaim extends StoredCode {
  readonly userId: bigint;
  readonly key: string;
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly claim: ClaimRow }
  /** The key belongs to an earlier claim, perhaps of another code. */
  | { readonly outcome: 'known'; readonly claim: ClaimRow }
  | Refused;

/** The campaign's account pays, so `insufficient` means that it is empty, and `blocked` that an operator has frozen it. */
export const CLAIM_WORDS: RefusalWords = {
  nothing: NOTHING_CREDITED,
  refusals: {
    insufficient: { code: 'reward_used_up' },
    blocked: { code: 'reward_not_running' },
    unknown_account: { code: 'account_restricted', advice: 'Ask support why.' },
    receiver_held: { code: 'account_restricted', advice: 'Ask support why.' },
  },
};

const refusal = (
  code:
    | 'reward_claimed'
    | 'reward_not_running'
    | 'reward_not_for_account'
    | 'reward_limit_reached'
    | 'reward_used_up',
): AppError => new AppError(code, { detail: NOTHING_CREDITED });

/** The facts that decide claims. The locks on users and campaigns keep them true until the commit. */
interface ClaimState {
  readonly now: Date;
  readonly campaigns: ReadonlyMap<number, CampaignRow>;
  /** The campaigns' accounts in the ledger. A campaign without a budget has none. */
  readonly accounts: ReadonlyMap<LedgerAccountId, LedgerAccount>;
  /** The codes by their hash in hex. */
  readonly codes: ReadonlyMap<string, CodeRow>;
  /** The codes of the claim's campaign that the user has claimed. */
  readonly usedBy: ReadonlyMap<bigint, readonly Buffer[]>;
  readonly isInAudience: (userId: bigint) => boolean;
  /** The number of claims accepted so far in this transaction, by code and by campaign. */
  readonly acceptedOfCode: Map<string, number>;
  readonly acceptedOfCampaign: Map<number, number>;
}

function found<Key, Row>(rows: ReadonlyMap<Key, Row>, key: Key): Row {
  const row = rows.get(key);
  invariant(row !== undefined, 'campaigns and codes stay');
  return row;
}

/** Locks the users and the campaigns, and reads the claims made before with the same keys and what decides the new ones. */
async function readState(
  { clock }: ClaimDeps,
  tx: Tx,
  claims: readonly CodeClaim[],
): Promise<{ readonly known: ReadonlyMap<bigint, ClaimRow>; readonly state: ClaimState }> {
  const now = dateOf(clock);
  const userIds = claims.map(({ userId }) => userId);
  const ids = [...new Set(claims.map(({ campaignId }) => campaignId))];
  const hashes = claims.map(({ codeHash }) => codeHash);
  const [, known, campaigns, codes, accounts, usedBy] = await pipelined(tx, (pipe) =>
    Promise.all([
      lockUsers(pipe, userIds),
      selectClaimsByKeys(pipe, claims),
      lockCampaigns(pipe, ids),
      selectCodes(pipe, hashes),
      selectAccountsById(pipe, ids.map(campaignAccountId)),
      selectCodesUsed(pipe, claims),
    ]),
  );
  const claimants = claims.map(({ userId, campaignId }) => ({
    userId,
    campaign: found(campaigns, campaignId),
  }));
  const state = {
    now,
    campaigns,
    accounts,
    codes: new Map(codes.map((code) => [code.codeHash.toString('hex'), code])),
    usedBy,
    isInAudience: await readAudience(tx, claimants, now),
    acceptedOfCode: new Map(),
    acceptedOfCampaign: new Map(),
  };
  return { known, state };
}

/** The refusal of a claim; `undefined` if there is none. The caller has a valid code, so the refusal may give the reason. */
function refusalOf(
  { userId, codeHash, campaignId }: CodeClaim,
  state: ClaimState,
): AppError | undefined {
  const { now, isInAudience } = state;
  const [hash, campaign] = [codeHash.toString('hex'), found(state.campaigns, campaignId)];
  const code = found(state.codes, hash);
  const used = state.usedBy.get(userId) ?? [];
  const before = state.acceptedOfCampaign.get(campaignId) ?? 0;
  if (used.some((other) => other.equals(codeHash))) return refusal('reward_claimed');
  if (campaign.state !== 'running') return refusal('reward_not_running');
  if (now < campaign.starts_at || now >= campaign.ends_at) return refusal('reward_not_running');
  if (code.batchState === 'void' || (code.expiresAt !== null && now >= code.expiresAt)) {
    return refusal('reward_not_running');
  }
  if (!isInAudience(userId)) return refusal('reward_not_for_account');
  if (used.length >= (campaign.user_claim_count_max ?? Infinity)) {
    return refusal('reward_limit_reached');
  }
  if (code.claimCount + (state.acceptedOfCode.get(hash) ?? 0) >= code.claimCountMax) {
    return refusal('reward_used_up');
  }
  if (campaign.claim_count + before >= (campaign.claim_count_max ?? Infinity)) {
    return refusal('reward_used_up');
  }
  // The ledger would refuse these claims too, but only one of them in each attempt.
  const account = state.accounts.get(campaignAccountId(campaignId));
  if (account?.state !== 'open') return refusal('reward_not_running');
  const promised = BigInt(before) * campaign.amount_micro_ath;
  if (account.balanceUnits - promised < campaign.amount_micro_ath) return refusal('reward_used_up');
  return undefined;
}

/** Accepts the claim, unless it is refused. */
function decide({ clock }: ClaimDeps, claim: CodeClaim, state: ClaimState): ClaimOutcome {
  const { userId, key, codeHash, campaignId } = claim;
  const error = refusalOf(claim, state);
  if (error !== undefined) return { outcome: 'refused', error };
  const { acceptedOfCode, acceptedOfCampaign } = state;
  const hash = codeHash.toString('hex');
  acceptedOfCode.set(hash, (acceptedOfCode.get(hash) ?? 0) + 1);
  acceptedOfCampaign.set(campaignId, (acceptedOfCampaign.get(campaignId) ?? 0) + 1);
  return {
    outcome: 'claimed',
    claim: {
      id: uuidv7(clock.nowMs(), (bytes) => randomFillSync(bytes)),
      user_id: userId,
      key,
      code_hash: codeHash,
      campaign_id: campaignId,
      amount_micro_ath: found(state.campaigns, campaignId).amount_micro_ath,
      claimed_at: state.now,
    },
  };
}

export const transferOf = ({
  id,
  campaign_id: campaignId,
  user_id: userId,
  amount_micro_ath: amount,
}: ClaimRow): GroupTransferRequest =>
  claimTransfer({ id, campaignId, userId, amount: microAth(amount) });

/**
 * Credits the rewards of claims of different users. Guards in order: replay, existence, ownership, state, limits, money. Throws
 * `PaymentRefused` if the ledger refuses one of them; then, as after any other error, nothing was claimed.
 */
export async function claimTogether(
  deps: ClaimDeps,
  claims: readonly CodeClaim[],
): Promise<readonly ClaimOutcome[]> {
  return deps.db.transaction().execute(async (tx) => {
    // Committed early even if all claims are refused, because they hold the locks of their campaigns too.
    await commitEarly(tx);
    const { known, state } = await readState(deps, tx, claims);
    const outcomes = claims.map((claim): ClaimOutcome => {
      const first = known.get(claim.userId);
      return first === undefined ? decide(deps, claim, state) : { outcome: 'known', claim: first };
    });
    const accepted = outcomes.flatMap((made) => (made.outcome === 'claimed' ? [made.claim] : []));
    if (accepted.length > 0) {
      await pipelined(tx, (pipe) =>
        Promise.all([
          insertClaims(pipe, accepted),
          pay(pipe, deps.ledger, accepted.map(transferOf), CLAIM_WORDS),
        ]),
      );
    }
    return outcomes;
  });
}
