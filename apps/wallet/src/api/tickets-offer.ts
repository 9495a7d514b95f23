/** Offers the tickets that stay on this phone after a sign-out, even above 'Trying to reconnect', which covers every screen. */
import { useEffect, useState } from 'react';
import { openKeptTickets } from '../state/network.ts';

/** Whether there are tickets to show; false until that is known. The code that reads them is loaded only after a sign-out. */
export function useTicketsOffer(open: () => void): boolean {
  const [hasTickets, setHasTickets] = useState(false);
  useEffect(() => {
    let isHere = true;
    void (async () => {
      const { readKeptTickets } = await import('./kept-tickets.ts');
      const isKept = (await readKeptTickets()) !== undefined;
      if (isHere) setHasTickets(isKept);
      // Without the code or the storage there is nothing to offer.
    })().catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, []);
  useEffect(() => {
    if (!hasTickets) return undefined;
    openKeptTickets.set(open);
    return () => openKeptTickets.set(undefined);
  }, [hasTickets, open]);
  return hasTickets;
}
