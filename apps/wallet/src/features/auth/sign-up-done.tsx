import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { useEffect, useState } from 'react';
import { paths } from '../../routes/paths.ts';
import { WaitingReward } from './waiting-reward.tsx';

/** D-058: a verification mail is sent at most once a minute. */
const SEND_AGAIN_AFTER_SECONDS = 60;

interface SignUpDoneProps {
  email: string;
  /** Registers again with the same data, so a new link is sent. Resolves to whether it succeeded. */
  onSendAgain: () => Promise<boolean>;
}

/** After a sign-up: says where the link was sent and offers to resend it. */
export function SignUpDone({ email, onSendAgain }: SignUpDoneProps) {
  return (
    <AuthScreen title={m.auth_sign_up_done_title()} lead={m.auth_sign_up_done_text({ email })}>
      <SuccessMoment />
      <div className="text-body text-ink-quiet flex flex-col gap-3 text-pretty">
        <p>{m.auth_sign_up_done_hint()}</p>
        {/* The same for every address: whether others asked for links would show that somebody is signing up. */}
        <p>{m.auth_sign_up_done_delay()}</p>
      </div>
      <WaitingReward text={m.auth_reward_sign_up_done()} />
      <div className="small:mt-0 mt-auto flex flex-col gap-3">
        <ButtonLink to={paths.signIn} isWide>
          {m.auth_sign_in()}
        </ButtonLink>
        <SendAgainButton onSendAgain={onSendAgain} />
      </div>
    </AuthScreen>
  );
}

function SendAgainButton({ onSendAgain }: { onSendAgain: () => Promise<boolean> }) {
  const [isSending, setIsSending] = useState(false);
  const [sentCount, setSentCount] = useState(1);
  const waitSeconds = useCountdown(SEND_AGAIN_AFTER_SECONDS, sentCount);

  async function handleClick() {
    setIsSending(true);
    if (await onSendAgain()) setSentCount((count) => count + 1);
    setIsSending(false);
  }

  function label(): string {
    if (isSending) return m.auth_send_again_sending();
    return sentCount > 1 && waitSeconds > 0 ? m.auth_send_again_sent() : m.auth_send_again();
  }

  return (
    <Button
      variant="quiet"
      isWide
      isPending={isSending}
      disabledReason={
        waitSeconds > 0 ? m.auth_reason_send_again({ seconds: waitSeconds }) : undefined
      }
      onClick={() => void handleClick()}
    >
      {label()}
    </Button>
  );
}

/**
 * Returns the seconds left, restarted whenever `round` changes. Uses the clock, because a hidden tab's timers are
 * throttled.
 */
function useCountdown(seconds: number, round: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endsAtMs = Date.now() + seconds * 1000;
    const update = () => setLeft(Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000)));
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [seconds, round]);
  return left;
}
