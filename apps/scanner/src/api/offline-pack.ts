/** Fetches and stores the data that this scanner needs to redeem without a network (decision 0068). */
import { ApiError } from '@athos/client/errors';
import type { AnswerOf } from '@athos/contract/api';
import { fromBase64url } from '@athos/domain/base64url';
import { decodeIds } from '@athos/domain/id-list';
import { believeClock } from '../state/offline-clock.ts';
import {
  keepClock,
  keepPack,
  readKept,
  readLists,
  withdrawGrant,
  type KeptLists,
  type KeptPack,
} from '../state/offline-store.ts';
import { client } from './http.ts';
import { asStaff } from './staff.ts';

/**
 * A renewal fetches all additions since the last whole list. They grow, and expired entries are never removed, so the whole list is fetched
 * again once an hour.
 */
const WHOLE_EVERY_MS = 3_600_000;

type WirePack = AnswerOf<'offlinePack'>;

function idsOf(text: string): number[] {
  const ids = decodeIds(fromBase64url(text));
  if (ids === undefined) throw new Error('the offline list cannot be read');
  return ids;
}

const joined = (known: Float64Array<ArrayBuffer> | undefined, ids: readonly number[]) =>
  Float64Array.from(new Set([...(known ?? []), ...ids])).toSorted();

const readPack = (wire: WirePack, staffUuid: string, venueId: number, wholeAtMs: number) =>
  ({
    staffUuid,
    venueId,
    madeAtMs: Date.parse(wire.server_time),
    wholeAtMs,
    nextSince: wire.next_since,
    isSuspect: wire.device.state === 'suspect',
    grant: wire.grant === null ? undefined : readGrant(wire.grant),
    keys: wire.keys.map((key) => ({ keyByte: key.key_byte, publicKey: key.public_key })),
    offers: wire.offers.map((offer) => ({
      id: offer.id,
      title: offer.title,
      priceAthHundredths: offer.price_ath_hundredths,
      isActive: offer.is_active,
    })),
  }) satisfies KeptPack;

const readGrant = (grant: NonNullable<WirePack['grant']>): NonNullable<KeptPack['grant']> => ({
  untilMs: Date.parse(grant.until),
  itemsMax: grant.items_max,
  valueMaxAthHundredths: grant.value_max_ath_hundredths,
  itemValueMaxAthHundredths: grant.item_value_max_ath_hundredths,
});

/** Whether the stored list needs only the additions: it is for the same staff and venue, and was fetched whole less than an hour ago. */
const canAddTo = (pack: KeptPack | undefined, staffUuid: string, venueId: number): boolean =>
  pack?.staffUuid === staffUuid &&
  pack.venueId === venueId &&
  client.serverNowMs() - pack.wholeAtMs < WHOLE_EVERY_MS;

/** Stores the difference between this clock and that of the server, which has just responded. */
export async function noteServerTime(): Promise<void> {
  believeClock();
  const answeredAtMs = Date.now();
  await keepClock({
    offsetMs: client.serverNowMs() - answeredAtMs,
    answeredAtMs,
    wasChanged: false,
  });
}

/** Fetches the list for these staff and this venue. A list that is older than the stored one is ignored. */
export async function renewPack(staffUuid: string, venueId: number): Promise<void> {
  const [{ pack: kept }, lists] = await Promise.all([readKept(), readLists()]);
  const before = canAddTo(kept, staffUuid, venueId) ? kept : undefined;
  const since = before?.nextSince;
  const query = { venue_id: venueId, ...(since !== undefined && { since }) };
  const wire = await asStaff(client.call('offlinePack', { query })).catch(
    async (error: unknown) => {
      const isRefused = error instanceof ApiError && error.code === 'device_not_enrolled';
      if (isRefused) await withdrawGrant(staffUuid, venueId);
      throw error;
    },
  );
  const madeAtMs = Date.parse(wire.server_time);
  const known = wire.is_whole ? undefined : lists;
  // Additions are useless without the list to which they belong.
  if (!wire.is_whole && (before === undefined || known?.madeAtMs !== before.madeAtMs)) return;
  const next: KeptLists = {
    madeAtMs,
    endedTickets: joined(known?.endedTickets, idsOf(wire.ended_tickets)),
    spentItems: joined(known?.spentItems, idsOf(wire.spent_items)),
  };
  const wholeAtMs = wire.is_whole ? madeAtMs : (before?.wholeAtMs ?? madeAtMs);
  const log = { seq: wire.device.last_seq, hash: wire.device.last_hash };
  const isNewer = await keepPack(readPack(wire, staffUuid, venueId, wholeAtMs), next, log);
  if (isNewer) await noteServerTime();
}
