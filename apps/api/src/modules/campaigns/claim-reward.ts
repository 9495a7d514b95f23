/** Claiming a reward: the code is looked up as a guess, then the claim is processed together with others that wait. */
import { microAth, type MicroAth } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';
import { AppError } from '../../platform/errors.ts';
import { isHashOf } from '../../platform/keys/hashing-keys.ts';
import { userCaller } from '../../platform/limits/caller.ts';
import { createGate } from '../../platform/limits/gate.ts';
import { requireReleased } from '../../platform/settings/brakes.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { pay, PayTogether, type Refused } from '../transfers/index.ts';
import { selectClaimByKey, type ClaimRow } from './campaigns.sql.ts';
import {
  CLAIM_WORDS,
  claimTogether,
  transferOf,
  type ClaimDeps as TogetherDeps,
  type ClaimOutcome,
  type CodeClaim,
} from './claim-together.ts';
import {
  createFindCode,
  invalidCode,
  NOTHING_CREDITED,
  type GuessDeps,
  type Guesser,
} from './guess-limits.ts';
import { codeHashes } from './open-campaign.ts';

export interface ClaimDeps extends GuessDeps, TogetherDeps {
  readonly programme: ReadProgramme;
}

interface Claim extends Guesser {
  readonly key: string;
  /** As the user typed it. */
  readonly codeText: string;
}

interface Claimed {
  readonly amount: MicroAth;
  readonly claimedAt: Date;
}

/**
 * The claims of one user run one at a time, and enough run at once to fill the groups of both stages. `waitMaxMs` is below the timeout of
 * a request.
 */
const CLAIMS = { atOnceMax: 128, waitingMax: 1_000, waitMaxMs: 3_500, ofCallerMax: 1 };
/** Each group locks the ledger, so more groups at once would only wait and occupy connections. */
const REPLAYS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_500 };

/**
 * Credits the reward of a code, once per key and once per code and user. Guards in order: shape, replay, brake, guessing, existence,
 * ownership, state, limits, money. Throws an AppError if refused.
 */
export type ClaimReward = (claim: Claim) => Promise<Claimed>;

/** Create one per process: two would form smaller groups. */
export function createClaimReward(deps: ClaimDeps): ClaimReward {
  const { db, ledger, config, programme } = deps;
  const [claimGate, replayGate] = [createGate(CLAIMS), createGate(REPLAYS)];
  const findCode = createFindCode(deps);
  const claims = new PayTogether<CodeClaim, Exclude<ClaimOutcome, Refused>>({
    name: 'claims',
    payAll: (together) => claimTogether(deps, together),
    rowCountOf: () => 1,
  });

  /** Repeats the first answer. Like every replay, it writes (docs/ledger.md, "Idempotency"). */
  async function replay(first: ClaimRow, hashes: readonly Buffer[]): Promise<Claimed> {
    if (!isHashOf(hashes, first.code_hash)) {
      throw new AppError('idempotency_key_reused', {
        detail: `${NOTHING_CREDITED} Use a new key for another code.`,
      });
    }
    await replayGate(userCaller(first.user_id), () =>
      db.transaction().execute(async (tx) => {
        const { outcome } = await pay(tx, ledger, [transferOf(first)], CLAIM_WORDS);
        // The claim was read on another connection, from a server that may have lost it in a failover since.
        if (outcome !== 'replayed') throw new AppError('try_again', { retryAfterSeconds: 1 });
      }),
    );
    return presentClaim(first);
  }

  async function claimOnce(claim: Claim): Promise<Claimed> {
    const { userId, key } = claim;
    const code = readRewardCode(claim.codeText);
    if (code === undefined) throw invalidCode();
    const hashes = codeHashes(code, config.hashingKeys);
    const first = await selectClaimByKey(db, userId, key);
    if (first !== undefined) return replay(first, hashes);
    await requireReleased(programme, 'rewards');
    const stored = await findCode({ ...claim, hashes });
    const made = await claims.pay({ userId, key, ...stored });
    return made.outcome === 'known' ? replay(made.claim, hashes) : presentClaim(made.claim);
  }

  return (claim) => claimGate(userCaller(claim.userId), () => claimOnce(claim));
}

const presentClaim = ({ amount_micro_ath: amount, claimed_at: claimedAt }: ClaimRow): Claimed => ({
  amount: microAth(amount),
  claimedAt,
});
