/** Scanners that redeem without a network, for tests. They keep their log and sign it as the app does. */
import { createHash, randomBytes } from 'node:crypto';
import { entryToSign, FIRST_PREVIOUS_HASH, scannerProofText } from '@athos/domain/offline-log';
import { createPhone, showTicket, ticketsOf, type TestPhone } from './build-ticket.ts';
import { createItems, createStaff, createVenue, type TestVenue } from './build-redemption.ts';
import type { ConsoleCaller } from './console.ts';
import type { TestAnswer, TestApp, TestUser } from './test-app.ts';

export interface TestGate {
  readonly staff: TestUser;
  readonly venue: TestVenue;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: TestPhone;
  readonly deviceId: string;
}

export interface TestEntry {
  readonly seq: number;
  readonly previous_hash: string;
  readonly at_ms: number;
  readonly staff_uuid: string;
  readonly venue_id: number;
  readonly code: string;
  readonly item_ids: readonly number[];
  readonly signature: string;
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

export const newDevice = () => ({ 'x-device-id': base64url(randomBytes(18)) });

function sessionIdOf({ token }: Pick<TestUser, 'token'>): string {
  const [, payload = ''] = token.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string }).sid;
}

export const scannerProof = (key: TestPhone, user: TestUser) => ({
  public_key: base64url(key.publicKey),
  proof: base64url(key.sign(Buffer.from(scannerProofText(sessionIdOf(user))))),
});

export async function enrolmentCode(lead: ConsoleCaller, venueId: number): Promise<string> {
  const { body } = await lead.call('createEnrolment', {
    params: { id: venueId },
    body: { name: 'Gate' },
  });
  return String(body.code);
}

/** An enrolled scanner with a key, and staff who are signed in on it. */
export async function createGate(
  test: TestApp,
  lead: ConsoleCaller,
  over: Partial<TestGate> = {},
): Promise<TestGate> {
  const venue = over.venue ?? (await createVenue(test));
  const staff = over.staff ?? (await createStaff(test, [venue]));
  const headers = over.headers ?? newDevice();
  const key = over.key ?? createPhone();
  const answer = await test.request({
    method: 'POST',
    url: '/api/scanner/device',
    user: staff,
    headers,
    payload: {
      enrolment_code: await enrolmentCode(lead, venue.id),
      key: scannerProof(key, staff),
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return { staff, venue, headers, key, deviceId: String(answer.body.device_id) };
}

export const askPack = (
  test: Pick<TestApp, 'request'>,
  { staff, venue, headers }: Pick<TestGate, 'staff' | 'venue' | 'headers'>,
  since?: string,
): Promise<TestAnswer> =>
  test.request({
    method: 'GET',
    url: `/api/scanner/offline/pack?venue_id=${venue.id}${since === undefined ? '' : `&since=${encodeURIComponent(since)}`}`,
    user: staff,
    headers,
  });

/** A scanner that has its pack, and so may redeem without a network. */
export async function createReadyGate(
  test: TestApp,
  lead: ConsoleCaller,
  over: Partial<TestGate> = {},
): Promise<TestGate> {
  const gate = await createGate(test, lead, over);
  const { status, text } = await askPack(test, gate);
  if (status !== 200) throw new Error(text);
  return gate;
}

export const hashOfEntry = (gate: Pick<TestGate, 'deviceId'>, entry: TestEntry): string =>
  createHash('sha256').update(signedText(gate, entry)).digest('base64url');

const signedText = (gate: Pick<TestGate, 'deviceId'>, entry: Omit<TestEntry, 'signature'>) =>
  entryToSign({
    deviceId: gate.deviceId,
    seq: entry.seq,
    previousHash: entry.previous_hash,
    atMs: entry.at_ms,
    staffUuid: entry.staff_uuid,
    venueId: entry.venue_id,
    code: entry.code,
    itemIds: entry.item_ids,
  });

type Handover = Pick<TestEntry, 'at_ms' | 'code' | 'item_ids'> & Partial<TestEntry>;

/** Signs what was handed out, as entries that go on after `last`. */
export function writeLog(
  gate: TestGate,
  handovers: readonly Handover[],
  last?: TestEntry,
): TestEntry[] {
  const entries: TestEntry[] = [];
  let before = last;
  for (const handover of handovers) {
    const entry = {
      seq: (before?.seq ?? 0) + 1,
      previous_hash: before === undefined ? FIRST_PREVIOUS_HASH : hashOfEntry(gate, before),
      staff_uuid: gate.staff.uuid,
      venue_id: gate.venue.id,
      ...handover,
    };
    before = { ...entry, signature: base64url(gate.key.sign(signedText(gate, entry))) };
    entries.push(before);
  }
  return entries;
}

export const syncLog = (
  test: Pick<TestApp, 'request'>,
  { staff, headers, deviceId }: Pick<TestGate, 'staff' | 'headers' | 'deviceId'>,
  entries: readonly TestEntry[],
): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: '/api/scanner/offline/sync',
    user: staff,
    headers,
    payload: { device_id: deviceId, entries },
  });

export interface TestGuest {
  readonly user: TestUser;
  readonly phone: TestPhone;
  readonly ticket: Uint8Array<ArrayBuffer>;
  readonly itemIds: readonly number[];
  /** Shows some of the items, by default all. */
  show(atMs: number, itemIds?: readonly number[]): Handover;
}

/**
 * Somebody who has bought items and holds a ticket for them on a phone. Purchases made at once take turns at the ids of items, which can
 * then be too scattered for one ticket: `createGuests` makes several.
 */
export async function createGuest(
  test: TestApp,
  options: Parameters<typeof createItems>[2] = {},
): Promise<TestGuest> {
  const [user, phone] = [await test.createUser(), createPhone()];
  const { itemIds } = await createItems(test, user, options);
  const [ticket = new Uint8Array(), ...others] = await ticketsOf(test, user, phone);
  if (others.length > 0) {
    throw new Error(
      'the items do not fit on one ticket: are other guests being created at the same time?',
    );
  }
  return {
    user,
    phone,
    ticket,
    itemIds,
    show: (atMs, shown = itemIds) => ({
      at_ms: atMs,
      code: showTicket(phone, ticket, { atMs, itemIds: shown }),
      item_ids: shown,
    }),
  };
}

export async function createGuests(
  test: TestApp,
  count: number,
  options: Parameters<typeof createItems>[2] = {},
): Promise<TestGuest[]> {
  const guests: TestGuest[] = [];
  while (guests.length < count) guests.push(await createGuest(test, options));
  return guests;
}
