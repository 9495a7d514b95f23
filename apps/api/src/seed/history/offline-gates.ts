/** Two devices of the crews without a network, and a guest who showed one code to both. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { entryToSign, FIRST_PREVIOUS_HASH, scannerProofText } from '@athos/domain/offline-log';
import {
  parseTicket,
  showingToSign,
  ticketCodeText,
  ticketItemIds,
} from '@athos/domain/ticket-code';
import { buildApp } from '../../app.ts';
import { invariant } from '../../platform/errors.ts';
import type { AskConsole } from './console.ts';
import { FIRST_OF_CREWS } from './crews.ts';
import type { Event } from './staff-acts.ts';
import { pastKey, userOf, type PastUser, type World } from './world.ts';

const MINUTE_MS = 60_000;
/** One device at each venue, by the number of the crew. */
const GATES = [
  { crew: 0, venue: 0, name: 'Tablet at the bar' },
  { crew: 2, venue: 1, name: 'Tablet at the door' },
] as const;

type Person = Pick<PastUser, 'userId' | 'userUuid'>;
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array) => Uint8Array.from(createHash('sha256').update(bytes).digest());

/** Creates a key as the browsers of phones and scanners do. */
function createKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const isOdd = ((Buffer.from(y, 'base64url').at(-1) ?? 0) & 1) === 1;
  return {
    text: base64url(Uint8Array.from([isOdd ? 3 : 2, ...Buffer.from(x, 'base64url')])),
    sign: (bytes: Uint8Array) =>
      Uint8Array.from(sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })),
  };
}
type Key = ReturnType<typeof createKey>;

function sessionIdOf(token: string): string {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
}

/** Finds the guest who has held an item longest, so that the past is the same each time. */
async function findGuest({ deps }: World): Promise<Person | undefined> {
  return deps.db
    .selectFrom('purchase_items as item')
    .innerJoin('purchases as purchase', 'purchase.id', 'item.purchase_id')
    .innerJoin('users as user', 'user.id', 'purchase.user_id')
    .leftJoin('account_holds as hold', 'hold.user_id', 'user.id')
    .select(['user.id as userId', 'user.uuid as userUuid'])
    .where('item.redeemed_at', 'is', null)
    .where('item.voided_at', 'is', null)
    .where('user.closed_at', 'is', null)
    .where('hold.id', 'is', null)
    .orderBy('purchase.created_at')
    .orderBy('user.email')
    .limit(1)
    .executeTakeFirst();
}

/** The phone's code for the first item of the guest's first ticket. */
function showFirst(key: Key, tickets: readonly { readonly ticket: string }[], atMs: number) {
  const ticket = Uint8Array.from(Buffer.from(tickets[0]?.ticket ?? '', 'base64url'));
  const content = parseTicket(ticket)?.content;
  invariant(content !== undefined, 'the guest has a ticket');
  const ids = ticketItemIds(content);
  const showing = { timeS: Math.floor(atMs / 1000), selection: [0] };
  const signature = key.sign(showingToSign(sha256(ticket), showing, ids.length));
  return {
    code: ticketCodeText(ticket, showing, ids.length, signature),
    itemIds: ids.slice(0, 1),
  };
}

interface Call {
  /** The user's session token. */
  readonly token: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly device?: string;
  readonly payload?: object;
}
type Send = <Answer>(call: Call) => Promise<Answer>;

const sender =
  (app: FastifyInstance): Send =>
  async <Answer>({ token, method, path, device, payload }: Call) => {
    const answer = await app.inject({
      method,
      url: API_PREFIX + path,
      headers: { authorization: `Bearer ${token}`, ...(device && { 'x-device-id': device }) },
      ...(payload && { payload }),
    });
    invariant(answer.statusCode === 200, `${method} ${path}: ${answer.body}`);
    return answer.json<Answer>();
  };

/** Makes a phone the guest's ticket phone, and returns its key and its tickets. */
async function openPhone(world: World, send: Send, guest: Person) {
  const { deps } = world;
  const [key, token] = [createKey(), await deps.sessions.open(deps.db, guest)];
  const proof = base64url(key.sign(Buffer.from(`phone-v1\n${sessionIdOf(token)}`)));
  const payload = { public_key: key.text, proof, label: 'Chrome on Android' };
  await send({ token, method: 'POST', path: '/account/ticket_phone', payload });
  const { tickets } = await send<{ tickets: { ticket: string }[] }>({
    token,
    method: 'GET',
    path: '/account/tickets',
  });
  return { key, tickets };
}

/** Gives a device a key, and the list that lets it redeem without a network. */
async function openGate(
  world: World,
  { ask, send }: { readonly ask: AskConsole; readonly send: Send },
  { crew, venue, name }: (typeof GATES)[number],
) {
  const { deps, venueIds } = world;
  const staff = userOf(world, FIRST_OF_CREWS + crew);
  const venueId = venueIds[venue] ?? 0;
  const params = { id: venueId };
  const { code } = await ask('scanner_lead', 'createEnrolment', { params, body: { name } });
  const [key, token] = [createKey(), await deps.sessions.open(deps.db, staff)];
  const device = pastKey(world, `device ${name}`);
  const proof = base64url(key.sign(Buffer.from(scannerProofText(sessionIdOf(token)))));
  const { device_id: deviceId } = await send<{ device_id: string }>({
    token,
    method: 'POST',
    path: '/scanner/device',
    device,
    payload: { enrolment_code: code, key: { public_key: key.text, proof } },
  });
  const path = `/scanner/offline/pack?venue_id=${venueId}`;
  await send({ token, method: 'GET', path, device });
  return { token, key, device, deviceId, staffUuid: staff.userUuid, venueId };
}

/** Reports one redemption as the first entry of the device's log. */
async function tell(
  send: Send,
  gate: Awaited<ReturnType<typeof openGate>>,
  shown: { readonly atMs: number; readonly code: string; readonly itemIds: readonly number[] },
): Promise<void> {
  const { token, key, device, deviceId, staffUuid, venueId } = gate;
  const { atMs, code, itemIds } = shown;
  const first = { seq: 1, previousHash: FIRST_PREVIOUS_HASH };
  const signed = entryToSign({ ...first, deviceId, atMs, staffUuid, venueId, code, itemIds });
  const entry = {
    seq: 1,
    previous_hash: FIRST_PREVIOUS_HASH,
    at_ms: atMs,
    staff_uuid: staffUuid,
    venue_id: venueId,
    code,
    item_ids: itemIds,
    signature: base64url(key.sign(signed)),
  };
  const payload = { device_id: deviceId, entries: [entry] };
  await send({ token, method: 'POST', path: '/scanner/offline/sync', device, payload });
}

/** Both devices redeem the item without a network, and report it when they are back online. */
async function handOutTwice(world: World, ask: AskConsole): Promise<void> {
  const guest = await findGuest(world);
  if (guest === undefined) return;
  const endMs = world.deps.clock.nowMs();
  // The guest's acts move no value, so the journal's time need not follow this clock.
  const clock = { ms: endMs - 40 * MINUTE_MS, nowMs: () => clock.ms };
  const app = await buildApp({ ...world.deps, clock });
  try {
    const send = sender(app);
    const phone = await openPhone(world, send, guest);
    const gates = [];
    for (const gate of GATES) gates.push(await openGate(world, { ask, send }, gate));
    const handedOutMs = clock.ms + 25 * MINUTE_MS;
    clock.ms = endMs;
    for (const [index, gate] of gates.entries()) {
      const atMs = handedOutMs + index * 3 * MINUTE_MS;
      await tell(send, gate, { atMs, ...showFirst(phone.key, phone.tickets, atMs) });
    }
  } finally {
    await app.close();
  }
}

/** Runs after all acts of the crowd, because somebody might otherwise redeem the item later. */
export const gateEvents = (world: World, ask: AskConsole): readonly Event[] => [
  { at: 0.99999, run: () => handOutTwice(world, ask) },
];
