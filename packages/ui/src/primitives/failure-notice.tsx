import { m } from '@athos/messages/messages';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface FailureNoticeProps {
  /** Names what failed. */
  text: string;
  onTryAgain: () => void;
}

/** Replaces content that could not be loaded, with a button to try again. */
export function FailureNotice({ text, onTryAgain }: FailureNoticeProps) {
  return (
    <Notice
      kind="danger"
      action={
        <Button variant="quiet" isCompact onClick={onTryAgain}>
          {m.common_try_again()}
        </Button>
      }
    >
      {text}
    </Notice>
  );
}
