import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { paths } from '../../routes/paths.ts';

/** Shown for unknown addresses. */
export function NotFoundScreen() {
  return (
    <AuthScreen title={m.shell_not_found_title()} lead={m.shell_not_found_text()}>
      <ButtonLink to={paths.start} isWide>
        {m.shell_not_found_home()}
      </ButtonLink>
    </AuthScreen>
  );
}
