/**
 * Keeps a device that can redeem without a network ready for it: renews the server's list, sends waiting entries, checks the clock, and
 * updates the status on the screen (decision 0068). Does nothing on a device without a key.
 */
import { isNetworkLost } from '@athos/app-core/network';
import { log } from '@athos/app-core/log';
import { hasClockJumped } from '../state/offline-clock.ts';
import { isLogWhole } from '../state/offline-log.ts';
import { isShiftOn, offlineStatus } from '../state/offline-status.ts';
import { canKeepKeys, keepClock, readKept, type Kept } from '../state/offline-store.ts';
import { forgetLists, usedOf, type Post } from './offline.ts';
import { renewPack } from './offline-pack.ts';
import { syncEntries } from './offline-sync.ts';
import { asStaff } from './staff.ts';

const RENEW_EVERY_MS = 60_000;
const SYNC_EVERY_MS = 30_000;
/** After a refusal, the pause doubles up to this. */
const SYNC_PAUSE_MAX_MS = 600_000;
const WATCH_EVERY_MS = 5_000;

let isServerSuspicious = false;
let beginNow: (() => void) | undefined;

/** Called after this device was given a key. */
export const beginOffline = (): void => beginNow?.();

/** Reads the stored state and shows it. */
export async function refreshOfflineStatus(post: Post): Promise<void> {
  if (!canKeepKeys()) return;
  const kept = await readKept();
  if (kept.device === undefined) {
    offlineStatus.set(undefined);
    return;
  }
  offlineStatus.set({
    allowance: allowanceOf(kept, post),
    waitingCount: kept.entries.length,
    isSuspect: isServerSuspicious || kept.pack?.isSuspect === true || !(await isLogWhole(kept)),
  });
}

function allowanceOf(kept: Kept, { staffUuid, venueId }: Post) {
  const { pack } = kept;
  const isOwn = pack?.staffUuid === staffUuid && pack.venueId === venueId;
  if (!isOwn || pack.isSuspect || pack.grant === undefined) return undefined;
  const { itemsMax: max, untilMs } = pack.grant;
  return { left: Math.max(0, max - usedOf(kept).itemCount), max, untilMs };
}

/** A change of the clock is stored, so that a reload does not hide it. */
async function watchClock(): Promise<void> {
  if (!hasClockJumped()) return;
  const { clock } = await readKept();
  if (clock !== undefined && !clock.wasChanged) await keepClock({ ...clock, wasChanged: true });
}

/** Returns a function that stops. */
export function startOffline(post: Post): () => void {
  if (!canKeepKeys()) return () => undefined;
  let isStopped = false;
  let pauseMs = SYNC_EVERY_MS;
  let syncTimer: ReturnType<typeof setTimeout> | undefined;
  let isSyncing = false;

  const show = (): Promise<void> => (isStopped ? Promise.resolve() : refreshOfflineStatus(post));
  const failed = (event: string) => (error: unknown) => log(event, { error: String(error) });

  async function renew(): Promise<void> {
    const { device } = await readKept();
    if (isStopped || device === undefined || isNetworkLost.get()) return;
    try {
      await renewPack(post.staffUuid, post.venueId);
      // The server has responded, so the network is back.
      isShiftOn.set(false);
    } finally {
      // The server may have withdrawn its permission.
      await show();
    }
  }

  async function sync(): Promise<void> {
    clearTimeout(syncTimer);
    if (isStopped || isSyncing) return;
    isSyncing = true;
    try {
      const { entries } = await readKept();
      if (entries.length > 0 && !isNetworkLost.get()) {
        const outcome = await asStaff(syncEntries());
        isServerSuspicious = outcome === 'suspect';
        pauseMs = outcome === 'sent' ? SYNC_EVERY_MS : Math.min(2 * pauseMs, SYNC_PAUSE_MAX_MS);
      }
    } catch (error) {
      pauseMs = Math.min(2 * pauseMs, SYNC_PAUSE_MAX_MS);
      failed('offline_sync_failed')(error);
    } finally {
      isSyncing = false;
      if (!isStopped) syncTimer = setTimeout(() => void sync(), pauseMs);
    }
    await show();
  }

  const renewLogged = (): void => void renew().catch(failed('offline_pack_failed'));
  const begin = (): void => {
    void sync().then(renewLogged, failed('offline_store_failed'));
  };
  const unsubscribe = isNetworkLost.subscribe(() => {
    if (isNetworkLost.get()) return;
    isShiftOn.set(false);
    pauseMs = SYNC_EVERY_MS;
    begin();
  });
  const timers = [
    setInterval(renewLogged, RENEW_EVERY_MS),
    setInterval(() => void watchClock().catch(failed('offline_store_failed')), WATCH_EVERY_MS),
  ];
  beginNow = begin;
  void show().then(begin, failed('offline_store_failed'));
  return () => {
    isStopped = true;
    unsubscribe();
    clearTimeout(syncTimer);
    for (const timer of timers) clearInterval(timer);
    forgetLists();
    offlineStatus.set(undefined);
    isShiftOn.set(false);
  };
}
