import { m } from '@athos/messages/messages';
import { Spinner } from '@athos/ui/spinner';
import { useEffect } from 'react';
import { askHealth } from '../../api/health.ts';
import { useValue } from '../../state/create-value.ts';
import { isNetworkLost, isStartDelayed } from '../../state/network.ts';
import { Modal } from './modal.tsx';

/** Decision "'failed to fetch'": while the connection is lost, the server is asked this often whether it is there. */
const HEALTH_EVERY_MS = 3000;

/** Spec 8: shown while the network is lost, and while the start waits for a server that does not answer. */
export function ReconnectModal() {
  const isLost = useValue(isNetworkLost);
  const isWaiting = useValue(isStartDelayed);

  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => void askHealth(), HEALTH_EVERY_MS);
    return () => clearInterval(timer);
  }, [isLost]);

  if (!isLost && !isWaiting) return null;
  return (
    <Modal
      title={m.shell_reconnect_title()}
      text={m.shell_reconnect_text()}
      action={
        <span className="text-accent-text flex justify-center">
          <Spinner />
        </span>
      }
    />
  );
}
