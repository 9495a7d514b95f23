import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';
import { Modal } from './modal.tsx';

/** Spec 2: says that the session ended because the user was away. */
export function AwayModal() {
  const navigate = useNavigate();
  return (
    <Modal
      title={m.shell_away_title()}
      text={m.shell_away_text()}
      action={
        <Button isWide onClick={() => void navigate(paths.signIn)}>
          {m.common_ok()}
        </Button>
      }
    />
  );
}
