import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { WelcomeScreen } from '@athos/ui/layout/welcome-screen';
import { paths } from '../../routes/paths.ts';
import { WaitingReward } from './waiting-reward.tsx';
import { WelcomeArt } from './welcome-art.tsx';

/** Spec 2: /auth/get-started. */
export function GetStartedScreen() {
  return (
    <WelcomeScreen
      title={m.auth_welcome_title({ programme: brand.programmeName })}
      lead={m.auth_welcome_lead()}
      art={<WelcomeArt />}
      action={
        <ButtonLink to={paths.choose} isWide>
          {m.auth_get_started()}
        </ButtonLink>
      }
    >
      <WaitingReward text={m.auth_reward_start()} />
      <p className="text-body text-ink-quiet text-pretty">{m.auth_welcome_text()}</p>
    </WelcomeScreen>
  );
}
