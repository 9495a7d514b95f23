/**
 * Shares the contacts of this device with the account's other devices (decision 0066). The list on the device comes first: it is written as
 * before, and the server learns of a change afterwards. Loaded with the parts of the app that no first screen needs.
 */
import { isNetworkLost } from '@athos/app-core/network';
import { log } from '@athos/app-core/log';
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { CONTACTS_PER_CALL } from '@athos/domain/contacts';
import { contactBookOf, NO_CONTACTS, removedContactsOf } from '../state/contacts.ts';
import { mergeContacts, type ContactChange } from '../state/merge-contacts.ts';
import { session } from '../state/session.ts';
import { contactsAsked, sharedContactsOf } from '../state/shared-contacts.ts';
import { client } from './http.ts';

/** Delay after a change is written, because more changes often follow. */
const SYNC_AFTER_MS = 2_000;
/** Minimum age of the last response before a screen that shows contacts, or a page that becomes visible again, triggers another sync. */
const FRESH_MS = 5_000;
/** Delays after failures. After the last one, the next attempt waits for another change, for the network or for the next start. */
const RETRIES_MS = [5_000, 30_000, 120_000];
/** A second round checks the result of the first. A third resolves what another device changed in between. */
const ROUNDS_MAX = 3;

/** The session in this tab is no longer that of `userUuid`, so a call would use another user's token. */
class NotOwnError extends Error {
  override readonly name = 'NotOwnError';
}

/** Called right before each call, and before anything from a response is stored. */
function requireOwn(userUuid: string): void {
  const current = session.get();
  const isOwn = current.status === 'signed_in' && current.uuid === userUuid;
  // The stored token may be newer than the session that this tab knows.
  if (!isOwn || session.claims()?.sub !== userUuid) throw new NotOwnError();
}

/** Stores the changes of other devices on this one, and returns the changes that the server does not have yet. */
async function learn(userUuid: string, signal: AbortSignal): Promise<readonly ContactChange[]> {
  requireOwn(userUuid);
  const { contacts, server_time: serverTime } = await client.call('contacts', { signal });
  requireOwn(userUuid);
  const server = { contacts, atMs: Date.parse(serverTime) };
  const shared = sharedContactsOf(userUuid);
  const removed = removedContactsOf(userUuid);
  let changes: readonly ContactChange[] = [];
  contactBookOf(userUuid).replace((stored) => {
    const own = { contacts: stored, removed: removed.read(), shared: shared.read() };
    const merged = mergeContacts(own, server, newIdempotencyKey);
    shared.change(() => merged.shared);
    removed.change(() => NO_CONTACTS);
    ({ changes } = merged);
    return merged.contacts;
  });
  return changes;
}

async function syncContacts(userUuid: string, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const changes = await learn(userUuid, signal);
    if (changes.length === 0) return;
    for (let from = 0; from < changes.length; from += CONTACTS_PER_CALL) {
      requireOwn(userUuid);
      const body = { contacts: changes.slice(from, from + CONTACTS_PER_CALL) };
      await client.call('changeContacts', { body, signal });
    }
  }
}

/** Lets only one tab sync at a time: two tabs that find the same new contact would add it twice. */
const alone = (userUuid: string, signal: AbortSignal, act: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(`contacts:${userUuid}`, { signal }, act) : act();

/** Runs until the returned function is called. */
export function keepContactsShared(userUuid: string): () => void {
  const stopping = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failureCount = 0;
  let answeredAtMs = -Infinity;
  let isRunning = false;
  let isAgain = false;

  function plan(afterMs: number): void {
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(() => void run(), afterMs);
  }

  async function run(): Promise<void> {
    if (isNetworkLost.get()) return;
    if (isRunning) {
      isAgain = true;
      return;
    }
    isRunning = true;
    isAgain = false;
    try {
      await alone(userUuid, stopping.signal, () => syncContacts(userUuid, stopping.signal));
      failureCount = 0;
      answeredAtMs = performance.now();
    } catch (error) {
      if (stopping.signal.aborted || error instanceof NotOwnError) return;
      log('contacts_not_shared', { error: error instanceof Error ? error.name : typeof error });
      const afterMs = RETRIES_MS[failureCount];
      failureCount += 1;
      if (afterMs !== undefined) plan(afterMs);
    } finally {
      isRunning = false;
    }
    if (isAgain) plan(SYNC_AFTER_MS);
  }

  /** Called for an event after which another attempt may succeed. */
  function begin(afterMs: number): void {
    failureCount = 0;
    plan(afterMs);
  }
  const beginUnlessFresh = (): void => {
    const isTold = sharedContactsOf(userUuid).get().gone.length === 0;
    if (!isTold || performance.now() - answeredAtMs >= FRESH_MS) begin(0);
  };
  const handleVisibility = (): void => {
    if (document.visibilityState === 'visible') beginUnlessFresh();
  };

  const unsubscribe = [
    // Writing a change to the list triggers this too.
    contactBookOf(userUuid).subscribe(() => begin(SYNC_AFTER_MS)),
    contactsAsked.subscribe(beginUnlessFresh),
    isNetworkLost.subscribe(() => {
      if (!isNetworkLost.get()) begin(0);
    }),
  ];
  document.addEventListener('visibilitychange', handleVisibility);
  begin(0);

  return () => {
    stopping.abort();
    clearTimeout(timer);
    for (const end of unsubscribe) end();
    document.removeEventListener('visibilitychange', handleVisibility);
  };
}
