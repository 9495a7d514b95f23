import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { useTicketsOffer } from '../../api/tickets-offer.ts';
import { paths } from '../../routes/paths.ts';
import { Modal } from './modal.tsx';

/** Spec 2: says that the session ended for inactivity. Tickets that stay on the phone can be shown (W-030). */
export function AwayModal() {
  const navigate = useNavigate();
  const openTickets = useCallback(() => void navigate(paths.keptTickets), [navigate]);
  const hasTickets = useTicketsOffer(openTickets);
  return (
    <Modal
      title={m.shell_away_title()}
      text={m.shell_away_text()}
      action={
        <>
          <Button isWide onClick={() => void navigate(paths.signIn)}>
            {m.common_ok()}
          </Button>
          {hasTickets && (
            <Button variant="quiet" isWide onClick={openTickets}>
              {m.shell_tickets()}
            </Button>
          )}
        </>
      }
    />
  );
}
