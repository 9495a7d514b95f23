import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState } from 'react';
import { askForRecovery, type RecoveryAsked } from '../../api/recovery.ts';
import type { SecondStep } from '../../api/session.ts';
import { moment } from '@athos/ui/text/moment';

interface RecoveryRequestProps {
  secondStep: SecondStep;
  /** Called when the sign-in must start over. */
  onEnded: () => void;
}

/** For a user who has neither the app nor a recovery code: requests the link that starts the waiting period. */
export function RecoveryRequest({ secondStep, onEnded }: RecoveryRequestProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [asked, setAsked] = useState<RecoveryAsked>();

  async function handleAsk(): Promise<void> {
    setIsAsking(true);
    const outcome = await askForRecovery(secondStep);
    setIsAsking(false);
    setAsked(outcome);
    if (outcome.kind === 'ended') onEnded();
  }

  switch (asked?.kind) {
    case 'mailed':
      return <Notice kind="success">{m.auth_recovery_mailed()}</Notice>;
    case 'waiting':
      return <Notice kind="info">{m.auth_recovery_waits({ date: moment(asked.date) })}</Notice>;
    case 'possible_from':
      return (
        <Notice kind="info">
          {m.auth_recovery_after_reset({
            date: moment(asked.date),
            support: brand.supportAddress,
          })}
        </Notice>
      );
    case 'ended':
    case 'failed':
    case undefined:
      return (
        <Button isWide isPending={isAsking} onClick={() => void handleAsk()}>
          {m.auth_recovery_ask()}
        </Button>
      );
  }
}
