/**
 * What changes by itself while signed in: the balance by polling and by live events, the rate by polling (spec 7).
 * Runs outside React, so that it begins with the session and not with a screen.
 */
import type { LiveEvent } from '@athos/contract/schemas/events';
import { QueryObserver } from '@tanstack/react-query';
import { isNetworkLost } from '../state/network.ts';
import { session } from '../state/session.ts';
import { BALANCE_POLL_MS, balanceQuery, setBalances, syncBalance } from './balance.ts';
import { refreshHistory } from './history.ts';
import { client } from './http.ts';
import { noteRedemption, refreshPurchases } from './purchases.ts';
import { queryClient } from './query-client.ts';
import { RATE_POLL_MS, rateQuery } from './rate.ts';
import { refreshNow } from './session-start.ts';

let stop: (() => void) | undefined;

function handleEvent(event: LiveEvent): void {
  switch (event.type) {
    case 'balance':
      setBalances(event);
      // Money moved: the list of movements is one short.
      void refreshHistory();
      break;
    case 'payment':
      void queryClient.invalidateQueries({ queryKey: ['payments'] });
      break;
    case 'redeemed':
      void noteRedemption(event.items);
      // Spec 7: after a redeem the balance is fetched again.
      void syncBalance();
      break;
    case 'session_ended':
      // Ended elsewhere. The refusal of a refresh is what ends it here.
      void refreshNow();
      break;
  }
}

/**
 * Keeps a stream open while the app is looked at. A hidden tab gives its connection back: a browser has six for a
 * host, and seven open tabs would leave none for requests.
 */
function followEvents(): () => void {
  let reading: AbortController | undefined;
  const update = (): void => {
    if (document.visibilityState === 'hidden') {
      reading?.abort();
      reading = undefined;
    } else if (reading === undefined) {
      reading = new AbortController();
      void client.openEvents({
        onEvent: handleEvent,
        onOpen: () => {
          void syncBalance();
          void refreshPurchases();
        },
        signal: reading.signal,
      });
    }
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    reading?.abort();
  };
}

/** Fetches the balance and starts polling (spec 4). Ends with the session; does nothing when it runs already. */
export function startLiveUpdates(): void {
  if (stop !== undefined || session.get().status !== 'signed_in') return;
  const balance = new QueryObserver(queryClient, {
    ...balanceQuery,
    refetchInterval: BALANCE_POLL_MS,
  });
  const rate = new QueryObserver(queryClient, { ...rateQuery, refetchInterval: RATE_POLL_MS });
  const stops = [
    balance.subscribe(() => undefined),
    rate.subscribe(() => undefined),
    followEvents(),
    isNetworkLost.subscribe(() => {
      if (!isNetworkLost.get()) void queryClient.invalidateQueries();
    }),
    session.subscribe(() => {
      if (session.get().status === 'signed_out') stopLiveUpdates();
    }),
  ];
  stop = () => {
    for (const end of stops) end();
  };
}

/** Stops polling and forgets what belonged to the session. */
export function stopLiveUpdates(): void {
  stop?.();
  stop = undefined;
  queryClient.clear();
}
