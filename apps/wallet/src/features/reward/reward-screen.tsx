import { brand, mainToken } from '@athos/brand/brand';
import { formatAthExact, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { Spinner } from '@athos/ui/primitives/spinner';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { useValue } from '@athos/app-core/value';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { claimReward } from '../../api/reward.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { rewardClaimOf, rewardCodeIn, type RewardClaim } from '../../state/reward-claim.ts';

/** Spec 2 `/app/redeem`. Its guard requires a code. */
export function RewardScreen() {
  const { search } = useLocation();
  return (
    <Screen title={m.reward_title({ symbol: mainToken.symbol })} backTo={paths.home} width="form">
      <Claim code={rewardCodeIn(search)} />
    </Screen>
  );
}

/** Claims the code automatically, and again by a button after a failure. */
function Claim({ code }: { code: string }) {
  const claim = rewardClaimOf(useUserUuid(), code);
  const state = useValue(claim);
  const offlineReason = useOfflineReason();
  const isOffline = offlineReason !== undefined;

  useEffect(() => {
    // Offline, it waits for the connection.
    if (state.status === 'idle' && !isOffline) void claim.ask(code, claimReward);
  }, [claim, code, state.status, isOffline]);

  if (isOffline && state.status !== 'asking' && state.status !== 'done') {
    return <Notice kind="info">{offlineReason}</Notice>;
  }
  if (state.status === 'refused' || state.status === 'unknown') {
    return (
      <Notice
        kind="danger"
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="quiet" isCompact onClick={() => void claim.ask(code, claimReward)}>
              {m.common_try_again()}
            </Button>
            <ButtonLink variant="plain" isCompact to={paths.enterRewardCode}>
              {m.reward_enter_another()}
            </ButtonLink>
          </div>
        }
      >
        {failureText(state)}
      </Notice>
    );
  }
  return (
    <>
      {/* One element for both, so that screen readers announce the change. */}
      <div
        role="status"
        className="@container/outcome flex flex-col items-center gap-3 py-8 text-center"
      >
        {state.status === 'done' ? <Redeemed amount={state.data} /> : <Redeeming />}
      </div>
      {state.status === 'done' && (
        <ButtonLink to={paths.home} isWide>
          {m.reward_see_wallet()}
        </ButtonLink>
      )}
    </>
  );
}

function Redeeming() {
  return (
    <p className="text-accent-text text-lead flex items-center gap-3 font-semibold">
      <Spinner />
      {m.reward_redeeming()}
    </p>
  );
}

function Redeemed({ amount }: { amount: MicroAth }) {
  return (
    <>
      <SuccessMoment />
      <p
        className="font-display text-balance-28 font-bold"
        style={{ ['--length' as string]: m.reward_redeemed_title().length }}
      >
        {m.reward_redeemed_title()}
      </p>
      <p className="text-lead text-balance">
        {m.reward_redeemed_text({ amount: formatAthExact(amount), tokenWord: mainToken.word })}
      </p>
    </>
  );
}

/** The reason why the claim failed, and what to do. */
function failureText(
  state: Extract<RewardClaim, { status: 'refused' } | { status: 'unknown' }>,
): string {
  if (state.status === 'unknown') return m.reward_failure_unknown();
  switch (state.code) {
    case 'invalid_reward_code':
    // The server returns this for a path that is longer than any code.
    case 'not_found':
      return m.reward_failure_not_valid();
    case 'reward_not_running':
      return m.reward_failure_not_running();
    case 'reward_not_for_account':
      return m.reward_failure_not_for_account();
    case 'reward_used_up':
      return m.reward_failure_used_up();
    case 'reward_claimed':
      return m.reward_failure_claimed();
    case 'reward_limit_reached':
      return m.reward_failure_limit_reached();
    case 'terms_not_accepted':
      return m.errors_terms();
    case 'stopped':
      return m.reward_failure_stopped({ notice: state.problem?.detail ?? '' });
    case 'too_many_attempts':
      return m.reward_failure_too_many();
    case undefined:
    default:
      return m.reward_failure_refused({ address: brand.supportAddress });
  }
}
