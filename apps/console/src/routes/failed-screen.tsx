import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';

/** Shown beside the menus when a screen throws or its code cannot be fetched. */
export function FailedScreen() {
  return (
    <Notice
      kind="danger"
      title={m.shell_error_title()}
      action={
        <Button variant="quiet" isDense onClick={() => location.reload()}>
          {m.shell_error_reload()}
        </Button>
      }
    >
      {m.shell_error_text()}
    </Notice>
  );
}
