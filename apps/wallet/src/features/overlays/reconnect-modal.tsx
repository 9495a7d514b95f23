import { isNetworkLost } from '@athos/app-core/network';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useValue } from '@athos/app-core/value';
import {
  isCodeShown,
  isReadingOffline,
  isStartDelayed,
  openKeptTickets,
  startReadingOffline,
} from '../../state/network.ts';
import { Modal } from './modal.tsx';

/**
 * Spec 8: shown while the network is lost, and while the start waits for a server that does not respond. Offers to read
 * offline if there is data for that (decision 0011).
 */
export function ReconnectModal() {
  const isLost = useValue(isNetworkLost);
  const isWaiting = useValue(isStartDelayed);
  const isElsewhere = [useValue(isReadingOffline), useValue(isCodeShown)].includes(true);
  const startReading = useValue(startReadingOffline);
  const openTickets = useValue(openKeptTickets);

  if (isElsewhere || (!isLost && !isWaiting)) return null;
  return (
    <Modal
      title={m.shell_reconnect_title()}
      text={m.shell_reconnect_text()}
      action={
        <>
          <span className="text-accent-text flex justify-center">
            <Spinner />
          </span>
          {startReading && (
            <Button variant="quiet" isWide onClick={startReading}>
              {m.shell_reconnect_read()}
            </Button>
          )}
          {openTickets && (
            <Button variant="quiet" isWide onClick={openTickets}>
              {m.shell_tickets()}
            </Button>
          )}
        </>
      }
    />
  );
}
