/** Ticket codes at an online scanner: they work like signed codes, and forged ones are refused. */
import { createPublicKey, randomBytes, randomUUID, sign, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeBase45, encodeBase45 } from '@athos/domain/base45';
import {
  encodeTicket,
  parseTicket,
  parseTicketCode,
  ticketItemIds,
  ticketToSign,
} from '@athos/domain/ticket-code';
import { createOffer } from '../../../../test/build-catalog.ts';
import { createItems, createStaff, createVenue } from '../../../../test/build-redemption.ts';
import {
  createPhone,
  showTicket,
  ticketsOf,
  type TestPhone,
} from '../../../../test/build-ticket.ts';
import {
  createTestApp,
  stopClock,
  type TestApp,
  type TestUser,
} from '../../../../test/test-app.ts';
import { createSigningKeys } from '../../../platform/keys/signing-keys.ts';
import { readCode } from '../read-code.ts';
import { keyByteOf } from './read-ticket-code.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const scan = (user: TestUser, payload: string) =>
  test.request({ method: 'POST', url: '/api/scanner/scan', user, payload: { payload } });
const redeem = (user: TestUser, payload: string, over: object = {}, key: string = randomUUID()) =>
  test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user,
    key,
    payload: { payload, ...over },
  });
const bytesOf = (code: string) => decodeBase45(code.slice(3)) ?? new Uint8Array();
const codeOf = (bytes: Uint8Array): string => `T1:${encodeBase45(bytes)}`;
const now = (): number => test.clock.nowMs();

interface Guest {
  readonly ada: TestUser;
  readonly phone: TestPhone;
  readonly ticket: Uint8Array<ArrayBuffer>;
  readonly itemIds: readonly number[];
}
async function createGuest(count = 3): Promise<Guest> {
  const [ada, phone] = [await test.createUser(), createPhone()];
  const { itemIds } = await createItems(test, ada, { count });
  const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
  return { ada, phone, ticket, itemIds };
}

async function redeemedIds(itemIds: readonly number[]): Promise<number[]> {
  const rows = await test.deps.db
    .selectFrom('purchase_items')
    .select('id')
    .where('id', 'in', itemIds.map(BigInt))
    .where('redeemed_at', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => Number(id));
}

/** Expects that neither call accepts the code and that nothing was redeemed. */
async function expectRefused(code: string, refusal: string, itemIds: readonly number[]) {
  const staff = await createStaff(test);
  expect((await scan(staff, code)).body.code).toBe(refusal);
  expect((await redeem(staff, code)).body.code).toBe(refusal);
  expect(await redeemedIds(itemIds)).toEqual([]);
}

it('[W-009] signs a ticket with Ed25519 over its items, its time and the key of the phone', async () => {
  const { phone, ticket, itemIds } = await createGuest();
  const { body: jwks } = await test.request({ method: 'GET', url: '/api/.well-known/jwks.json' });
  const key = createPublicKey({ key: jwks.keys[0], format: 'jwk' });
  const [content, signature] = [ticket.slice(0, -64), ticket.slice(-64)];
  expect(verify(null, ticketToSign(content), key, signature)).toBe(true);
  const parsed = parseTicket(ticket)?.content;
  expect(parsed && ticketItemIds(parsed)).toEqual(itemIds);
  expect(parsed).toMatchObject({ phoneKey: phone.publicKey, validHours: 48 });
});

it('[W-032] shows and redeems what a ticket code names, once', async () => {
  const { ada, phone, ticket, itemIds } = await createGuest();
  const staff = await createStaff(test);
  const code = showTicket(phone, ticket, { atMs: now() });
  const shown = await scan(staff, code);
  expect(shown.body).toMatchObject({
    kind: 'purchase',
    holder: { short_uuid: ada.uuid.slice(0, 8) },
    items: itemIds.map((id) => ({ id, state: 'redeemable' })),
  });
  const key = randomUUID();
  const first = await redeem(staff, code, {}, key);
  expect(first.body).toMatchObject({ redeemed_count: 3 });
  expect((await redeem(staff, code, {}, key)).body).toEqual(first.body);
  expect((await redeem(staff, code)).body).toMatchObject({ redeemed_count: 0 });
  expect(await redeemedIds(itemIds)).toEqual(itemIds);
});

it('[W-032] a ticket code is scanned within 30 s and redeemed within 120 s', async () => {
  const pass = stopClock(test);
  const { phone, ticket, itemIds } = await createGuest(1);
  const staff = await createStaff(test);
  // Codes contain whole seconds.
  pass(1000 - (now() % 1000));
  const code = showTicket(phone, ticket, { atMs: now() });
  const kept = showTicket(phone, ticket, { atMs: now() - 1000 });
  pass(30_000);
  expect((await scan(staff, kept)).body.code).toBe('code_expired');
  expect((await scan(staff, code)).status).toBe(200);
  pass(90_000);
  expect((await redeem(staff, code)).body).toMatchObject({ redeemed_count: 1 });
  pass(1);
  expect((await redeem(staff, code)).body.code).toBe('code_expired');
  expect(await redeemedIds(itemIds)).toEqual(itemIds);
});

it('[W-032] a second scanner is refused the code that another has scanned', async () => {
  const { phone, ticket } = await createGuest(1);
  const [one, other] = [await createStaff(test), await createStaff(test)];
  const code = showTicket(phone, ticket, { atMs: now() });
  expect((await scan(one, code)).status).toBe(200);
  expect((await scan(other, code)).body.code).toBe('code_replayed');
  expect((await redeem(other, code)).body.code).toBe('code_replayed');
});

it('[W-032] the second signature of one showing is the same code', async () => {
  const { phone, ticket } = await createGuest(1);
  const [one, other] = [await createStaff(test), await createStaff(test)];
  const atMs = now();
  const codes = [showTicket(phone, ticket, { atMs }), showTicket(phone, ticket, { atMs })];
  expect(codes[0]).not.toBe(codes[1]);
  expect((await scan(one, codes[0] ?? '')).status).toBe(200);
  expect((await scan(other, codes[1] ?? '')).body.code).toBe('code_replayed');
});

it('only the items that the phone chose can be redeemed', async () => {
  const { phone, ticket, itemIds } = await createGuest();
  const [first = 0, second = 0] = itemIds;
  const staff = await createStaff(test);
  const code = showTicket(phone, ticket, { atMs: now(), itemIds: [second] });
  const answer = await redeem(staff, code, { item_ids: [first, second] });
  expect(answer.body.results).toMatchObject([
    { item_id: first, outcome: 'not_found' },
    { item_id: second, outcome: 'redeemed' },
  ]);
  expect(await redeemedIds(itemIds)).toEqual([second]);
});

it('an item of another venue is not redeemed with a ticket code', async () => {
  const [offer, venue, ada] = [
    await createOffer(test),
    await createVenue(test),
    await test.createUser(),
  ];
  await test.deps.db
    .insertInto('offer_venues')
    .values({ offer_id: offer.id, venue_id: venue.id })
    .execute();
  const { itemIds } = await createItems(test, ada, { offer });
  const phone = createPhone();
  const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
  const staff = await createStaff(test);
  const answer = await redeem(staff, showTicket(phone, ticket, { atMs: now() }));
  expect(answer.body.results).toMatchObject([{ item_id: itemIds[0], outcome: 'wrong_venue' }]);
  expect(await redeemedIds(itemIds)).toEqual([]);
});

describe('a forged ticket code', () => {
  it('[W-010] is refused with any single bit of it turned over', { tags: 'long' }, async () => {
    const { phone, ticket, itemIds } = await createGuest();
    const staff = await createStaff(test);
    const bytes = bytesOf(showTicket(phone, ticket, { atMs: now() }));
    const taken: number[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Uint8Array.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
      try {
        readCode(test.deps.qrKeys, codeOf(forged));
        taken.push(bit);
      } catch (error) {
        expect(error).toMatchObject({
          code: expect.stringMatching(/^(unreadable_code|invalid_signature)$/),
        });
      }
    }
    expect(taken).toEqual([]);
    const last = Uint8Array.from([...bytes.slice(0, -1), (bytes.at(-1) ?? 0) ^ 1]);
    expect((await scan(staff, codeOf(last))).body.code).toBe('invalid_signature');
    expect(await redeemedIds(itemIds)).toEqual([]);
  });

  it('[W-011] is refused if another phone signed the showing', async () => {
    const { ticket, itemIds } = await createGuest();
    const stranger = createPhone();
    await expectRefused(
      showTicket(stranger, ticket, { atMs: now() }),
      'invalid_signature',
      itemIds,
    );
  });

  it('[W-011] is refused if the key in the ticket was swapped', async () => {
    const { ticket, itemIds } = await createGuest();
    const stranger = createPhone();
    const forged = Uint8Array.from(ticket);
    forged.set(stranger.publicKey, 17);
    await expectRefused(
      showTicket(stranger, forged, { atMs: now() }),
      'invalid_signature',
      itemIds,
    );
  });

  it('is refused if it joins the ticket of one guest with the showing of another', async () => {
    const [one, other] = [await createGuest(), await createGuest()];
    const atMs = now();
    const theirs = bytesOf(showTicket(one.phone, one.ticket, { atMs }));
    const own = bytesOf(showTicket(other.phone, other.ticket, { atMs }));
    const joined = Uint8Array.from([
      ...theirs.slice(0, one.ticket.length),
      ...own.slice(other.ticket.length),
    ]);
    const itemIds = [...one.itemIds, ...other.itemIds];
    await expectRefused(codeOf(joined), 'invalid_signature', itemIds);
  });

  it('is refused with a wider selection than the phone signed', async () => {
    const { phone, ticket, itemIds } = await createGuest();
    const atMs = now();
    const bytes = bytesOf(showTicket(phone, ticket, { atMs, itemIds: itemIds.slice(0, 1) }));
    bytes[ticket.length + 4] = 0b1110_0000;
    await expectRefused(codeOf(bytes), 'invalid_signature', itemIds);
  });

  it('is refused with the ticket of another server, also under the number of ours', async () => {
    const { ada, phone, ticket, itemIds } = await createGuest();
    const content = parseTicket(ticket)?.content;
    if (content === undefined) throw new Error('not a ticket');
    const foreign = createSigningKeys([randomBytes(32)]);
    for (const { kid } of [foreign.current, test.deps.qrKeys.current]) {
      const body = encodeTicket({ ...content, keyByte: keyByteOf(kid) });
      const signature = sign(null, ticketToSign(body), foreign.current.privateKey);
      const forged = Uint8Array.from([...body, ...signature]);
      await expectRefused(showTicket(phone, forged, { atMs: now() }), 'invalid_signature', itemIds);
    }
    // The ticket is signed by our key, but this database has another ticket with the number, as after a restored backup.
    const body = encodeTicket({ ...content, number: content.number + 1_000_000 });
    const signature = sign(null, ticketToSign(body), test.deps.qrKeys.current.privateKey);
    const unknown = Uint8Array.from([...body, ...signature]);
    await expectRefused(showTicket(phone, unknown, { atMs: now() }), 'invalid_signature', itemIds);
    expect(ada.uuid.slice(0, 8)).toBe(content.holder);
  });

  it('[W-012] is unreadable in any other spelling', async () => {
    const { phone, ticket, itemIds } = await createGuest();
    const code = showTicket(phone, ticket, { atMs: now() });
    expect(parseTicketCode(code)).toBeDefined();
    for (const other of [
      ` ${code}`,
      `${code}\n`,
      `${code} `,
      code.toLowerCase(),
      code.replace('T1:', 't1:'),
      `T1:${code}`,
      'T1:',
      'T1:::::',
      codeOf(Uint8Array.from([...bytesOf(code), 0])),
      codeOf(bytesOf(code).slice(0, -1)),
    ]) {
      await expectRefused(other, 'unreadable_code', itemIds);
    }
  });

  it('is refused from a later time than now', async () => {
    const { phone, ticket, itemIds } = await createGuest();
    const code = showTicket(phone, ticket, { atMs: now() + 35_000 });
    await expectRefused(code, 'code_from_future', itemIds);
  });

  it('is refused after the ticket has run out', async () => {
    const { phone, ticket, itemIds } = await createGuest();
    test.clock.advance(48 * 60 * 60_000 + 2000);
    await expectRefused(showTicket(phone, ticket, { atMs: now() }), 'code_expired', itemIds);
  });
});

it('spaces in a ticket code count, and none stands at its end, where readers would cut it off', async () => {
  const { phone, ticket } = await createGuest(1);
  const staff = await createStaff(test);
  const codes = Array.from({ length: 1_000 }, () => showTicket(phone, ticket, { atMs: now() }));
  // The last character of a chunk encodes its highest digit, which never reaches 36, the value of a space.
  expect(codes.filter((code) => code.trim() !== code)).toEqual([]);
  const code = codes.find((text) => text.includes('  ')) ?? '';
  expect((await scan(staff, code.replace('  ', ' '))).body.code).toBe('unreadable_code');
  expect((await scan(staff, code)).status).toBe(200);
});
