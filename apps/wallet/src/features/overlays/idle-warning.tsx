import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useValue } from '@athos/app-core/value';
import { useEffect, useState } from 'react';
import { idleWarning, staySignedIn } from '../../state/idle.ts';
import { Modal } from './modal.tsx';

/** D-180: offers to stay signed in, 60 s before the idle sign-out. */
export function IdleWarning() {
  const warning = useValue(idleWarning);
  if (warning === undefined) return null;
  return (
    <Modal
      title={m.shell_idle_title()}
      text={<Countdown endsAtMs={warning.endsAtMs} />}
      action={
        <Button isWide onClick={staySignedIn}>
          {m.shell_idle_stay()}
        </Button>
      }
    />
  );
}

const secondsUntil = (endsAtMs: number): number =>
  Math.max(0, Math.ceil((endsAtMs - Date.now()) / 1000));

function Countdown({ endsAtMs }: { endsAtMs: number }) {
  const [seconds, setSeconds] = useState(() => secondsUntil(endsAtMs));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(endsAtMs)), 1000);
    return () => clearInterval(timer);
  }, [endsAtMs]);
  return <span className="tabular">{m.shell_idle_text({ seconds })}</span>;
}
