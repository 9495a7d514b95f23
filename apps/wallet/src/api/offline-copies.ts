/**
 * Copies of the server's last responses for reading offline (decision 0011): the user's balance, purchases and history,
 * and the parts of the programme that are shown with them. They are kept in local storage, belong to one user, are
 * limited in size, and are deleted when the session ends.
 */
import { isNetworkLost } from '@athos/app-core/network';
import { queryClient } from '@athos/app-core/query-client';
import { localStore } from '@athos/app-core/storage';
import { queryOptions, type QueryCacheNotifyEvent, type QueryKey } from '@tanstack/react-query';
import { isReadingOffline, isStartDelayed, startReadingOffline } from '../state/network.ts';
import { COPIES_PREFIX, session } from '../state/session.ts';
import { balanceQuery } from './balance.ts';
import { categoriesQuery } from './categories.ts';
import { historyQuery } from './history.ts';
import { newestPages, newestPurchases } from './offline-limits.ts';
import { purchasesQuery } from './purchases.ts';
import { rateQuery } from './rate.ts';
import { tiersQuery } from './tiers.ts';

interface Kept {
  readonly name: string;
  readonly queryKey: QueryKey;
  /** Reduces the data to its newest part. */
  readonly shorten?: (data: never) => unknown;
}

const KEPT: readonly Kept[] = [
  { name: 'balance', queryKey: balanceQuery.queryKey },
  { name: 'purchases', queryKey: purchasesQuery.queryKey, shorten: newestPurchases },
  { name: 'history', queryKey: historyQuery.queryKey, shorten: newestPages },
  { name: 'tiers', queryKey: tiersQuery.queryKey },
  { name: 'categories', queryKey: categoriesQuery.queryKey },
  { name: 'rate', queryKey: rateQuery.queryKey },
];

/** Larger copies are not stored, because a browser allows about 5 MB in total. */
const COPY_CHARACTERS_MAX = 1024 * 1024;
/** Responses arrive in groups, and the balance every 15 s. */
const WRITE_DEBOUNCE_MS = 500;
const REFRESH_DEBOUNCE_MS = 2000;

/** Another build may store the same responses in another format, so its copies are not used. */
const BUILD = import.meta.url;

interface Copy {
  readonly build: string;
  /** When the response arrived. */
  readonly atMs: number;
  readonly data: unknown;
}

const keyOf = (userUuid: string, name: string): string => `${COPIES_PREFIX}${userUuid}:${name}`;

// JSON has no bigint.
const fromBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { bigint: value.toString() } : value;
const toBigint = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'bigint' in value
    ? BigInt(String(value.bigint))
    : value;

function readCopy(userUuid: string, name: string): Copy | undefined {
  try {
    const text = localStore.read(keyOf(userUuid, name));
    const copy = JSON.parse(text ?? 'null', toBigint) as Copy | null;
    return copy?.build === BUILD && typeof copy.atMs === 'number' ? copy : undefined;
  } catch {
    // The text was edited or truncated.
    return undefined;
  }
}

function writeCopy(userUuid: string, { name, queryKey, shorten }: Kept): void {
  const state = queryClient.getQueryState(queryKey);
  if (state?.data === undefined || state.dataUpdatedAt === 0) return;
  const data = shorten === undefined ? state.data : shorten(state.data as never);
  const copy: Copy = { build: BUILD, atMs: state.dataUpdatedAt, data };
  const text = JSON.stringify(copy, fromBigint);
  if (text.length <= COPY_CHARACTERS_MAX) localStore.write(keyOf(userUuid, name), text);
}

/** Whether a copy of this user's balance is stored. */
const hasCopies = (userUuid: string): boolean => readCopy(userUuid, 'balance') !== undefined;

/** Fills in missing responses from the copies. */
function restoreCopies(userUuid: string): void {
  for (const { name, queryKey } of KEPT) {
    if (queryClient.getQueryData(queryKey) !== undefined) continue;
    const copy = readCopy(userUuid, name);
    if (copy !== undefined) {
      queryClient.setQueryData(queryKey, copy.data, { updatedAt: copy.atMs });
    }
  }
}

/** Starts reading offline at the user's request, until the network is back. */
function readOffline(userUuid: string): void {
  restoreCopies(userUuid);
  isReadingOffline.set(true);
}

const isSame = (left: QueryKey, right: QueryKey): boolean =>
  left.length === right.length && left.every((part, index) => part === right[index]);

/** Stores copies for this user until the returned function is called. Fetches data that no screen has fetched yet. */
export function keepCopies(userUuid: string): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Responses that are newer than their stored copy. */
  const unwritten = new Set<Kept>();
  const isOwn = (): boolean => {
    const current = session.get();
    return current.status === 'signed_in' && current.uuid === userUuid;
  };
  const later = (task: string, ms: number, act: () => void): void => {
    clearTimeout(timers.get(task));
    timers.set(
      task,
      // The session may be over by then, and its copies deleted.
      setTimeout(() => void (isOwn() && act()), ms),
    );
  };

  function write(kept: Kept): void {
    unwritten.delete(kept);
    writeCopy(userUuid, kept);
  }

  /** A hidden page may be ended without further notice, by a reload or by a phone that needs the memory. */
  function handleVisibility(): void {
    if (document.visibilityState === 'hidden' && isOwn()) unwritten.forEach(write);
  }

  function handleEvent(event: QueryCacheNotifyEvent): void {
    if (event.type !== 'updated') return;
    const kept = KEPT.find(({ queryKey }) => isSame(queryKey, event.query.queryKey));
    if (kept === undefined) return;
    if (event.action.type === 'success') {
      unwritten.add(kept);
      later(`write ${kept.name}`, WRITE_DEBOUNCE_MS, () => write(kept));
    }
    // Something was bought or redeemed while the list was not shown. Without a refresh, the offline copy would lack it.
    if (event.action.type === 'invalidate' && !event.query.isActive() && !isNetworkLost.get()) {
      later(`refresh ${kept.name}`, REFRESH_DEBOUNCE_MS, () => {
        void queryClient.refetchQueries({ queryKey: kept.queryKey, exact: true, type: 'inactive' });
      });
    }
  }

  for (const { queryKey } of KEPT) queryClient.setQueryDefaults(queryKey, { gcTime: Infinity });
  const unsubscribe = queryClient.getQueryCache().subscribe(handleEvent);
  document.addEventListener('visibilitychange', handleVisibility);
  for (const kept of KEPT) writeCopy(userUuid, kept);
  void queryClient.prefetchQuery(queryOptions({ ...purchasesQuery, staleTime: Infinity }));
  void queryClient.prefetchInfiniteQuery(historyQuery);
  startReadingOffline.set(() => readOffline(userUuid));

  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', handleVisibility);
    for (const timer of timers.values()) clearTimeout(timer);
    startReadingOffline.set(undefined);
    // A signed-out user has nothing to read, so the modal reports the lost network again.
    if (!isOwn()) isReadingOffline.set(false);
  };
}

/**
 * If the app starts without a network, offers the last known data to the user of the stored token, provided that the
 * token has not expired and there is something to read. The refresh continues, and the server's response decides.
 */
export function offerOfflineStart(): void {
  const claims = session.claims();
  if (!isNetworkLost.get() || session.get().status !== 'starting' || claims === undefined) return;
  if (claims.expiresAtMs <= Date.now() || !hasCopies(claims.sub)) return;
  const begin = (): void => {
    readOffline(claims.sub);
    isStartDelayed.set(false);
    session.resume();
  };
  startReadingOffline.set(begin);
  // The offer ends with the start. Otherwise it would restore the session of a user who has signed out since.
  const unsubscribe = session.subscribe(() => {
    unsubscribe();
    if (startReadingOffline.get() === begin) startReadingOffline.set(undefined);
  });
}
