/**
 * Keeps the balance (polling and live events) and the rate (polling) up to date while signed in (spec 7). Runs outside
 * React, so that it starts with the session and not with a screen.
 */
import { isNetworkLost } from '@athos/app-core/network';
import { refreshToken } from '@athos/app-core/refresh';
import { queryClient } from '@athos/app-core/query-client';
import type { LiveEvent } from '@athos/contract/wallet/events';
import { QueryObserver } from '@tanstack/react-query';
import { session } from '../state/session.ts';
import { BALANCE_POLL_MS, balanceQuery, setBalances, syncBalance } from './balance.ts';
import { client } from './http.ts';
import { RATE_POLL_MS, rateQuery } from './rate.ts';

let stop: (() => void) | undefined;

// Home does not carry the code of these lists. If it cannot be fetched, there is no list to bring up to date.
const ignoreMissing = (): void => undefined;

/** Money moved, so the history lacks an entry. */
const noteMovement = (): Promise<void> =>
  import('./history.ts').then(({ refreshHistory }) => refreshHistory(), ignoreMissing);

type Redeemed = Extract<LiveEvent, { type: 'redeemed' }>['items'];

const noteRedeemed = (items: Redeemed): Promise<void> =>
  import('./purchases.ts').then(({ noteRedemption }) => noteRedemption(items), ignoreMissing);

const askForPurchases = (): Promise<void> =>
  import('./purchases.ts').then(({ refreshPurchases }) => refreshPurchases(), ignoreMissing);

function handleEvent(event: LiveEvent): void {
  switch (event.type) {
    case 'balance':
      setBalances(event);
      void noteMovement();
      break;
    case 'payment':
      void queryClient.invalidateQueries({ queryKey: ['payments'] });
      break;
    case 'redeemed':
      void noteRedeemed(event.items);
      // Spec 7: after a redeem the balance is fetched again.
      void syncBalance();
      break;
    case 'session_ended':
      // Ended elsewhere: the server refuses a refresh, which ends the session here.
      void refreshToken({ session, client });
      break;
  }
}

/**
 * Keeps a stream open while the page is visible. A hidden tab closes it: a browser has six connections to a host, so seven
 * open tabs would leave none for requests.
 */
function followEvents(): () => void {
  let reading: AbortController | undefined;
  const update = (): void => {
    if (document.visibilityState === 'hidden') {
      reading?.abort();
      reading = undefined;
    } else if (reading === undefined) {
      reading = new AbortController();
      void client.openEvents('events', {
        onEvent: handleEvent,
        onOpen: () => {
          void syncBalance();
          void askForPurchases();
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

/** Fetches the balance and starts polling (spec 4), until the session ends. Does nothing if it is running already. */
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

/** Stops polling and listening until `startLiveUpdates` is called. */
export function pauseLiveUpdates(): void {
  stop?.();
  stop = undefined;
}

/** Stops polling and listening, and empties the cache of the session's answers. */
export function stopLiveUpdates(): void {
  pauseLiveUpdates();
  queryClient.clear();
}
