/** What a person sees before the session ends (WCAG 2.2.1). */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Clock from 'lucide-react/icons/clock';
import { useRef, useState } from 'react';
import { callMe, sessionEnding } from '../../api/session-end.ts';
import { signOut } from '../../api/session.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { clockText } from '../../kit/time.tsx';
import { timeZone } from '../../state/time-zone.ts';

/** Asks whether somebody is still there. Mounted once, above every screen. */
export function IdleDialog() {
  const ending = useValue(sessionEnding);
  const zone = useValue(timeZone);
  const [isPending, setIsPending] = useState(false);
  const stay = useRef<HTMLButtonElement>(null);
  if (ending?.kind !== 'idle') return null;

  async function handleStay(): Promise<void> {
    setIsPending(true);
    await callMe();
    setIsPending(false);
  }

  return (
    <Dialog
      onClose={() => void handleStay()}
      hasCloseButton={false}
      focusFirst={stay}
      title={m.console_idle_title()}
      description={m.console_idle({ time: clockText(ending.at, zone) })}
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={isPending} onClick={() => void signOut()}>
            {m.console_sign_out()}
          </Button>
          <Button ref={stay} isWide isPending={isPending} onClick={() => void handleStay()}>
            {m.console_idle_stay()}
          </Button>
        </>
      }
    />
  );
}

/** Says when the session ends whatever the person does. */
export function LimitBar() {
  const ending = useValue(sessionEnding);
  const zone = useValue(timeZone);
  return (
    <div role="status">
      {ending?.kind === 'limit' && (
        <p className="bg-sunken text-dense flex items-center gap-2 px-4 py-2 font-semibold">
          <Clock size={16} aria-hidden className="shrink-0" />
          {m.console_session_limit({ time: clockText(ending.at, zone) })}
        </p>
      )}
    </div>
  );
}
