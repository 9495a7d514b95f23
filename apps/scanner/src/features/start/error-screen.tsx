import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/button';
import { AuthScreen } from '@athos/ui/screen';

/** In place of a screen that failed: a fault of ours, or a part of the app that could not be fetched. */
export function ErrorScreen() {
  return (
    <AuthScreen title={m.shell_error_title()} lead={m.shell_error_text()}>
      <Button isWide onClick={() => location.reload()}>
        {m.shell_error_reload()}
      </Button>
    </AuthScreen>
  );
}
