/** The parties of an offline redemption, with real keys: a server, guests' phones and a scanner's list. */
import type { AnswerOf, BodyOf } from '@athos/contract/api';
import { toBase64url } from '@athos/domain/base64url';
import { encodeIds } from '@athos/domain/id-list';
import { entryToSign, FIRST_PREVIOUS_HASH } from '@athos/domain/offline-log';
import { compressPoint } from '@athos/domain/p256';
import {
  encodeTicket,
  showingToSign,
  ticketCodeText,
  ticketItemIds,
  ticketToSign,
  type TicketContent,
} from '@athos/domain/ticket-code';
import { STAFF_UUID } from '../session.ts';
import { BAR } from './scanner.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Pack = AnswerOf<'offlinePack'>;
type Sync = AnswerOf<'offlineSync'>;

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const KEY_BYTE = 0xa7;
const HOUR_S = 3600;

export const DEVICE_ID = '0192cccc-0000-7000-8000-000000000003';
export const TICKET_NUMBER = 7;
/**
 * Offers at the bar: one that can be redeemed there, an inactive one, one above the item limit without a network, and one of another venue.
 */
export const OFFERS = { drink: 3, pausedShow: 4, car: 5, elsewhere: 99 } as const;

export interface FakeServer {
  readonly publicKey: string;
  readonly sign: (bytes: Bytes) => Promise<Bytes>;
}

export async function fakeServer(): Promise<FakeServer> {
  const key = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key.publicKey));
  return {
    publicKey: toBase64url(raw),
    sign: async (bytes) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', key.privateKey, bytes)),
  };
}

export interface FakePhone {
  readonly publicKey: Bytes;
  readonly sign: (bytes: Bytes) => Promise<Bytes>;
}

export async function fakePhone(): Promise<FakePhone> {
  const key = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify']);
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', key.publicKey));
  return {
    publicKey: compressPoint(point),
    sign: async (bytes) =>
      new Uint8Array(await crypto.subtle.sign(SIGNATURE, key.privateKey, bytes)),
  };
}

export interface CodeOptions {
  readonly server: FakeServer;
  /** The phone whose key the ticket names. */
  readonly phone: FakePhone;
  /** The phone that signs the showing; by default the same one. */
  readonly signer?: FakePhone;
  readonly content?: Partial<TicketContent>;
  readonly atMs?: number;
  readonly selection?: readonly number[];
  /** The selection that the phone signs, if it differs from the one in the code. */
  readonly signedSelection?: readonly number[];
}

/** By default a ticket for three drinks with the ids 100 to 102, and a code for all of them made now. */
export async function ticketCode(options: CodeOptions): Promise<string> {
  const { server, phone, signer = phone, atMs = Date.now() } = options;
  const content: TicketContent = {
    keyByte: KEY_BYTE,
    number: TICKET_NUMBER,
    holder: '0192aaaa',
    validFromS: Math.floor(atMs / 1000) - HOUR_S,
    validHours: 48,
    phoneKey: phone.publicKey,
    groups: [{ offerId: OFFERS.drink, firstItemId: 100, itemCount: 3 }],
    ...options.content,
  };
  const body = encodeTicket(content);
  const ticket = Uint8Array.from([...body, ...(await server.sign(ticketToSign(body)))]);
  const itemCount = ticketItemIds(content).length;
  const selection = options.selection ?? Array.from({ length: itemCount }, (_, index) => index);
  const showing = { timeS: Math.floor(atMs / 1000), selection };
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', ticket));
  const signed = { ...showing, selection: options.signedSelection ?? selection };
  const signature = await signer.sign(showingToSign(hash, signed, itemCount));
  return ticketCodeText(ticket, showing, itemCount, signature);
}

export interface PackOptions {
  readonly ended?: readonly number[];
  readonly spent?: readonly number[];
  readonly grant?: Partial<NonNullable<Pack['grant']>> | null;
  readonly more?: Partial<Pack>;
}

export function packOf(server: FakeServer, options: PackOptions = {}): Pack {
  const now = Date.now();
  const { ended = [], spent = [], grant, more } = options;
  const offer = (id: number, title: string, ath: number, is_active = true) => ({
    id,
    title,
    price_ath_hundredths: ath * 100,
    is_active,
  });
  return {
    server_time: new Date(now).toISOString(),
    device: { id: DEVICE_ID, state: 'active', last_seq: 0, last_hash: FIRST_PREVIOUS_HASH },
    grant:
      grant === null
        ? null
        : {
            staff_uuid: STAFF_UUID,
            venue_id: BAR.id,
            until: new Date(now + 12 * HOUR_S * 1000).toISOString(),
            items_max: 200,
            value_max_ath_hundredths: 500_000,
            item_value_max_ath_hundredths: 50_000,
            ...grant,
          },
    keys: [{ key_byte: KEY_BYTE, public_key: server.publicKey }],
    offers: [
      offer(OFFERS.drink, 'House Pour', 24),
      offer(OFFERS.pausedShow, 'Late show', 30, false),
      offer(OFFERS.car, 'Supercar morning', 900),
    ],
    is_whole: true,
    ended_tickets: toBase64url(encodeIds(ended)),
    spent_items: toBase64url(encodeIds(spent)),
    next_since: new Date(now).toISOString(),
    ...more,
  };
}

/** The server's acknowledgement of valid entries: every item redeemed, or one given outcome for all. */
export async function acknowledge(
  { device_id: deviceId, entries }: BodyOf<'offlineSync'>,
  outcome: Sync['results'][number]['items'][number]['outcome'] = 'redeemed',
): Promise<Sync> {
  const last = entries.at(-1);
  if (last === undefined) throw new Error('no entries');
  const signed = entryToSign({
    deviceId,
    seq: last.seq,
    previousHash: last.previous_hash,
    atMs: last.at_ms,
    staffUuid: last.staff_uuid,
    venueId: last.venue_id,
    code: last.code,
    itemIds: last.item_ids,
  });
  return {
    results: entries.map(({ seq, item_ids: ids }) => ({
      seq,
      items: ids.map((item_id) => ({ item_id, outcome })),
    })),
    state: 'active',
    last_seq: last.seq,
    last_hash: toBase64url(new Uint8Array(await crypto.subtle.digest('SHA-256', signed))),
  };
}
