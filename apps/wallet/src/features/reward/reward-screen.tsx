import { brand, mainToken } from '@athos/brand/brand';
import { formatAthExact, type MicroAth } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Screen } from '@athos/ui/layout/screen';
import { Spinner } from '@athos/ui/primitives/spinner';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { useLocation } from 'react-router';
import { paths } from '../../routes/paths.ts';
import { rewardCodeIn, type RedemptionFailure } from '../../state/redemption.ts';
import { useRedemption } from './use-redemption.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Spec 2: /app/redeem. Its guard has sent away who comes without a code. */
export function RewardScreen() {
  const { search } = useLocation();
  return (
    <Screen title={m.reward_title({ symbol: mainToken.symbol })} backTo={paths.home} width="form">
      <Redemption code={rewardCodeIn(search)} />
    </Screen>
  );
}

function Redemption({ code }: { code: string }) {
  const { state, tryAgain } = useRedemption(code);
  const offlineReason = useOfflineReason();
  if (state.status === 'idle' && offlineReason !== undefined) {
    return <Notice kind="info">{offlineReason}</Notice>;
  }
  const failure = state.status === 'idle' ? state.failure : undefined;
  if (failure !== undefined) {
    return (
      <Notice
        kind="danger"
        action={
          <Button variant="quiet" isCompact onClick={tryAgain}>
            {m.common_try_again()}
          </Button>
        }
      >
        {failureText(failure)}
      </Notice>
    );
  }
  return (
    <>
      {/* One place for both, so that the change is read out. */}
      <div role="status" className="flex flex-col items-center gap-3 py-8 text-center">
        {state.status === 'submitted' ? <Redeemed amount={state.amount} /> : <Redeeming />}
      </div>
      {state.status === 'submitted' && (
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
      <p className="font-display text-headline font-bold">{m.reward_redeemed_title()}</p>
      <p className="text-lead text-balance">
        {m.reward_redeemed_text({ amount: formatAthExact(amount), tokenWord: mainToken.word })}
      </p>
    </>
  );
}

/** Why it failed, and what to do. */
function failureText(failure: RedemptionFailure): string {
  switch (failure) {
    case 'unknown':
      return m.reward_failure_unknown();
    case 'not_valid':
      return m.reward_failure_not_valid();
    case 'not_running':
      return m.reward_failure_not_running();
    case 'used_up':
      return m.reward_failure_used_up();
    case 'claimed':
      return m.reward_failure_claimed();
    case 'limit_reached':
      return m.reward_failure_limit_reached();
    case 'too_many':
      return m.reward_failure_too_many();
    case 'refused':
      return m.reward_failure_refused({ address: brand.supportAddress });
  }
}
