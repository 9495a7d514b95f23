/** Sends the redemptions made without a network to the server, and notes their outcomes. An entry is deleted once the server has it. */
import type { AnswerOf } from '@athos/contract/api';
import { SYNC_ENTRIES_MAX } from '@athos/domain/offline-log';
import { settleOfflineScan } from '../state/recent-scans.ts';
import { canKeepKeys, readKept, removeEntries, type KeptEntry } from '../state/offline-store.ts';
import { client } from './http.ts';
import { noteServerTime } from './offline-pack.ts';

type WireSync = AnswerOf<'offlineSync'>;

/** Far more batches than the allowance of any device can fill. */
const BATCHES_MAX = 20;

export type SyncOutcome = 'sent' | 'suspect' | 'stuck';

const toWire = (entry: KeptEntry) => ({
  seq: entry.seq,
  previous_hash: entry.previousHash,
  at_ms: entry.atMs,
  staff_uuid: entry.staffUuid,
  venue_id: entry.venueId,
  code: entry.code,
  item_ids: [...entry.itemIds],
  signature: entry.signature,
});

/** The waiting entries in the form of the call, for export from a device that never gets a network again. */
export async function logText(): Promise<string> {
  const { device, entries } = await readKept();
  return JSON.stringify({ device_id: device?.deviceId, entries: entries.map(toWire) }, null, 2);
}

/** The number of redemptions that the server does not have. Also works while nobody is signed in. */
export async function countWaiting(): Promise<number> {
  return canKeepKeys() ? (await readKept()).entries.length : 0;
}

/** Sends all waiting entries. Rejects if the server does not respond; the same entries can safely be sent again. */
export async function syncEntries(): Promise<SyncOutcome> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const { entries } = await readKept();
    const [first] = entries;
    if (first === undefined) return 'sent';
    const sent = entries.slice(0, SYNC_ENTRIES_MAX);
    const body = { device_id: first.deviceId, entries: sent.map(toWire) };
    const answer = await client.call('offlineSync', { body });
    await noteServerTime();
    noteOutcomes(sent, answer.results);
    const isKnown = sent.some(
      ({ seq, hash }) => seq === answer.last_seq && hash === answer.last_hash,
    );
    if (isKnown) await removeEntries({ seq: answer.last_seq, hash: answer.last_hash });
    if (answer.state === 'suspect') return 'suspect';
    if (!isKnown) return 'stuck';
  }
  return 'stuck';
}

function noteOutcomes(entries: readonly KeptEntry[], results: WireSync['results']): void {
  for (const { seq, items } of results) {
    const entry = entries.find((one) => one.seq === seq);
    if (entry === undefined) continue;
    const outcomes = items.map(({ outcome }) => outcome);
    const bad = outcomes.includes('conflict') ? 'conflict' : 'refused';
    const state = outcomes.every((outcome) => outcome === 'redeemed') ? 'confirmed' : bad;
    settleOfflineScan(entry.staffUuid, entry.scanId, state);
  }
}
