import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/button';
import { AuthScreen } from '@athos/ui/screen';
import { paths } from '../../routes/paths.ts';
import { WelcomeArt } from './welcome-art.tsx';

/** Spec 2: /auth/get-started. */
export function GetStartedScreen() {
  return (
    <AuthScreen
      title={m.auth_welcome_title({ programme: brand.programmeName })}
      lead={m.auth_welcome_lead()}
    >
      <WelcomeArt />
      <p className="text-body text-ink-quiet text-pretty">{m.auth_welcome_text()}</p>
      <ButtonLink to={paths.choose} isWide>
        {m.auth_get_started()}
      </ButtonLink>
    </AuthScreen>
  );
}
