import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { paths } from '../../routes/paths.ts';
import { TermsNotice } from './terms-notice.tsx';
import { WaitingReward } from './waiting-reward.tsx';

/** Spec 2: /auth/choose. */
export function ChooseScreen() {
  return (
    <AuthScreen
      title={m.auth_choose_title({ programme: brand.programmeName })}
      lead={m.auth_choose_text()}
      backTo={paths.getStarted}
    >
      <WaitingReward text={m.auth_reward_start()} />
      <div className="small:mt-0 mt-auto flex flex-col gap-3">
        <ButtonLink to={paths.signIn} isWide>
          {m.auth_sign_in()}
        </ButtonLink>
        <ButtonLink to={paths.signUp} variant="quiet" isWide>
          {m.auth_sign_up()}
        </ButtonLink>
      </div>
      <TermsNotice />
    </AuthScreen>
  );
}
