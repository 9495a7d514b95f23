/**
 * Keeps the balance (by polling and live events) and the rate (by polling) up to date while signed in (spec 7). Runs
 * outside React, so it starts with the session and not with a screen.
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
/** Whether a stream has been open since the session began. */
let hasOpened = false;

// Home does not load the code of these lists. If it cannot be fetched, no list is shown that would need an update.
const ignoreMissing = (): void => undefined;

/** Value moved, so the history is missing an entry. */
const noteMovement = (): Promise<void> =>
  import('./history-updates.ts').then(({ refreshHistory }) => refreshHistory(), ignoreMissing);

/** Movements and the ends of holds were not reported during the gap. */
const catchUp = (): Promise<void> =>
  import('./history-updates.ts').then(({ catchUpOnHistory }) => catchUpOnHistory(), ignoreMissing);

type Redeemed = Extract<LiveEvent, { type: 'redeemed' }>['items'];

const noteRedeemed = (items: Redeemed): Promise<void> =>
  import('./purchases.ts').then(({ noteRedemption }) => noteRedemption(items), ignoreMissing);

const askForPurchases = (): Promise<void> =>
  import('./purchases.ts').then(({ refreshPurchases }) => refreshPurchases(), ignoreMissing);

const askForHolds = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['holds'] });

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
      // Spec 7: the balance is fetched again after a redemption.
      void syncBalance();
      break;
    case 'hold':
      // The state of a history entry has changed.
      void queryClient.invalidateQueries({ queryKey: ['history'] });
      void askForHolds();
      break;
    case 'session_ended':
      // The session was ended elsewhere, so the server refuses this refresh, which ends the session here.
      void refreshToken({ session, client });
      break;
  }
}

/**
 * Keeps a stream open while the page is visible. A hidden tab closes its stream, because HTTP/1.1 limits a browser to
 * six connections per host: with a stream each, seven open tabs would leave none for requests.
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
          void askForHolds();
          // When the first stream opens, the history has just been read, or nobody has asked for it.
          if (hasOpened) void catchUp();
          hasOpened = true;
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

/** Fetches the balance and starts polling (spec 4) until the session ends. Does nothing if it is already running. */
export function startLiveUpdates(): void {
  if (stop !== undefined || session.get().status !== 'signed_in') return;
  const balance = new QueryObserver(queryClient, balanceQuery);
  const rate = new QueryObserver(queryClient, rateQuery);
  // While the network is lost, only the health check makes requests.
  const pollUnlessLost = (): void => {
    const poll = (everyMs: number) => (isNetworkLost.get() ? false : everyMs);
    balance.setOptions({ ...balanceQuery, refetchInterval: poll(BALANCE_POLL_MS) });
    rate.setOptions({ ...rateQuery, refetchInterval: poll(RATE_POLL_MS) });
  };
  pollUnlessLost();
  const stops = [
    balance.subscribe(() => undefined),
    rate.subscribe(() => undefined),
    followEvents(),
    isNetworkLost.subscribe(() => {
      pollUnlessLost();
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

/** Stops polling and live events until `startLiveUpdates` is called. */
export function pauseLiveUpdates(): void {
  stop?.();
  stop = undefined;
}

/** Stops polling and live events, and clears the session's cached responses. */
export function stopLiveUpdates(): void {
  pauseLiveUpdates();
  hasOpened = false;
  queryClient.clear();
}
