/** Which phone may show tickets, which tickets it gets, and what ends it. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseTicket, ticketItemIds } from '@athos/domain/ticket-code';
import {
  forgotPassword,
  latestCodeTo,
  openUser,
  OTHER_PASSWORD,
  PASSWORD,
  resetPassword,
} from '../../../../test/accounts.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import { createItems, createStaff } from '../../../../test/build-redemption.ts';
import {
  askTickets,
  createPhone,
  movePhone,
  proofOf,
  registerPhone,
  showTicket,
  ticketsOf,
} from '../../../../test/build-ticket.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const post = (url: string, user: TestUser | undefined, payload: object = {}) =>
  test.request({ method: 'POST', url, payload, ...(user !== undefined && { user }) });

const HOUR_MS = 60 * 60_000;

/** The same user in another session, which began before the following events. */
async function inOtherSession(user: TestUser): Promise<TestUser> {
  const { sessions, db } = test.deps;
  const token = await sessions.open(db, { userId: user.userId, userUuid: user.uuid });
  return { ...user, token };
}

function sessionPath({ token }: TestUser, end: string): string {
  const [, payload = ''] = token.split('.');
  const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string };
  return `/api/account/sessions/${end.replace('{id}', sid)}`;
}

function itemsOf(tickets: readonly { ticket: string }[]): number[][] {
  return tickets.map(({ ticket }) => {
    const parsed = parseTicket(Uint8Array.from(Buffer.from(ticket, 'base64url')));
    return parsed === undefined ? [] : ticketItemIds(parsed.content);
  });
}

/** The answer of an online scanner to a code of the ticket. */
async function scanned(phone: ReturnType<typeof createPhone>, ticket: Uint8Array<ArrayBuffer>) {
  const staff = await createStaff(test);
  const payload = showTicket(phone, ticket, { atMs: test.clock.nowMs() });
  const answer = await test.request({
    method: 'POST',
    url: '/api/scanner/redeem',
    user: staff,
    key: randomUUID(),
    payload: { payload },
  });
  return answer.body.code ?? answer.body.redeemed_count;
}

describe('POST account/ticket_phone', () => {
  it('makes a phone the ticket phone, and says the same when it is asked again', async () => {
    const [ada, phone] = [await test.createUser(), createPhone()];
    const first = await registerPhone(test, ada, phone, { label: ' Ada’s phone ' });
    expect(first.body).toEqual({
      public_key: Buffer.from(phone.publicKey).toString('base64url'),
      label: 'Ada’s phone',
      since: expect.any(String),
    });
    expect((await registerPhone(test, ada, phone)).body).toEqual(first.body);
  });

  it('refuses a key whose proof is for another session, of another key, or no point', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const [phone, other] = [createPhone(), createPhone()];
    const offCurve = Buffer.concat([Buffer.from([2]), Buffer.alloc(32, 0xff)]);
    for (const over of [
      { proof: proofOf(phone, ben) },
      { proof: proofOf(other, ada) },
      { public_key: offCurve.toString('base64url') },
    ]) {
      expect((await registerPhone(test, ada, phone, over)).body.code).toBe('invalid_proof');
    }
    for (const over of [
      { public_key: 'short' },
      { proof: '' },
      { label: ' ' },
      { label: 'x'.repeat(61) },
      { label: 'a\u202eb' },
      { label: 'a\u0000b' },
    ]) {
      expect((await registerPhone(test, ada, phone, over)).body.code).toBe('invalid_request');
    }
    expect((await askTickets(test, ada)).body.phone).toBeNull();
  });

  it('[W-025] names the other phone unless it is asked to move', async () => {
    const [ada, old, fresh] = [await openUser(test), createPhone(), createPhone()];
    const { body } = await registerPhone(test, ada, old, { label: 'Old phone' });
    const refused = await registerPhone(test, ada, fresh);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'ticket_phone_elsewhere',
      label: 'Old phone',
      since: body.since,
    });
    expect((await movePhone(test, ada, fresh)).status).toBe(200);
  });

  it('is moved with a confirmation alone, which is good for this phone', async () => {
    const [ada, old, fresh] = [await openUser(test), createPhone(), createPhone()];
    await registerPhone(test, ada, old);
    for (const headers of [{}, { 'x-confirmation': 'x'.repeat(43) }]) {
      const refused = await registerPhone(test, ada, fresh, { move: true }, headers);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ code: 'confirmation_required', action: 'move_tickets' });
    }
    expect((await askTickets(test, ada)).body.phone.label).toBe('A phone');
    expect((await movePhone(test, ada, fresh)).status).toBe(200);
  });

  it('[W-026] ends every ticket of the old phone when it is moved', async () => {
    const [ada, old, fresh] = [await openUser(test), createPhone(), createPhone()];
    await createItems(test, ada);
    const [before = new Uint8Array()] = await ticketsOf(test, ada, old);
    const [after = new Uint8Array()] = await ticketsOf(test, ada, fresh);
    expect(await scanned(old, before)).toBe('ticket_ended');
    expect(await scanned(fresh, after)).toBe(1);
  });

  it.each([
    ['by its own call', '/api/account/ticket_phone/end'],
    ['with its session', '{id}/end'],
    ['with all other sessions', 'end_others'],
  ])(
    'is not moved in two steps: after a token has ended the other phone %s, a new one takes a confirmation',
    async (_, path) => {
      const [ada, old, fresh] = [await openUser(test), createPhone(), createPhone()];
      const stolen = await inOtherSession(ada);
      await createItems(test, ada);
      await ticketsOf(test, ada, old);
      const url = path.startsWith('/') ? path : sessionPath(ada, path);
      expect((await post(url, stolen)).body).toEqual({ success: true });
      for (const over of [{}, { move: true }]) {
        const refused = await registerPhone(test, stolen, fresh, over);
        expect(refused.status).toBe(403);
        expect(refused.body).toMatchObject({
          code: 'confirmation_required',
          action: 'move_tickets',
        });
      }
      expect((await askTickets(test, stolen)).body).toMatchObject({ phone: null, tickets: [] });
      expect((await movePhone(test, stolen, fresh)).status).toBe(200);
    },
  );

  it('that registers by itself learns the other one that has ended, and is not asked to confirm', async () => {
    const [ada, old, fresh] = [await openUser(test), createPhone(), createPhone()];
    await registerPhone(test, ada, old, { label: 'Old phone', by_itself: true });
    await post('/api/account/ticket_phone/end', ada);
    const refused = await registerPhone(test, ada, fresh, { by_itself: true });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'ticket_phone_elsewhere', label: 'Old phone' });
    expect((await registerPhone(test, ada, old, { by_itself: true })).status).toBe(200);
    await post('/api/account/ticket_phone/end', ada);
    expect((await movePhone(test, ada, fresh)).status).toBe(200);
  });

  it('takes none for the phone that ended, for a session that began since then, and once all tickets have run out', async () => {
    const [ada, old] = [await openUser(test), createPhone()];
    const stolen = await inOtherSession(ada);
    const end = () => post('/api/account/ticket_phone/end', ada);
    await registerPhone(test, ada, old);
    await end();
    expect((await registerPhone(test, ada, old)).status).toBe(200);
    await end();
    const later = createPhone();
    expect((await registerPhone(test, await inOtherSession(ada), later)).status).toBe(200);
    await end();
    let renewed = stolen;
    for (let hours = 0; hours < 46; hours += 23) {
      test.clock.advance(23 * HOUR_MS);
      const { token } = await test.deps.sessions.refresh(renewed.token);
      renewed = { ...renewed, token };
    }
    expect((await registerPhone(test, renewed, createPhone())).status).toBe(403);
    test.clock.advance(3 * HOUR_MS);
    expect((await registerPhone(test, renewed, createPhone())).status).toBe(200);
  });

  it('leaves one ticket phone when two ask at once', async () => {
    const ada = await test.createUser();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => registerPhone(test, ada, createPhone())),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409, 409,
    ]);
  });

  it('stops moving after 20 phones in a day', { tags: 'long' }, async () => {
    const ada = await openUser(test);
    for (let count = 0; count < 20; count++) {
      expect((await movePhone(test, ada, createPhone())).status).toBe(200);
    }
    const refused = await movePhone(test, ada, createPhone());
    expect(refused.body.code).toBe('too_many_attempts');
  });
});

describe('GET account/tickets', () => {
  it('gives nothing to an account without a ticket phone', async () => {
    const ada = await test.createUser();
    await createItems(test, ada);
    expect((await askTickets(test, ada)).body).toMatchObject({ phone: null, tickets: [] });
  });

  it('gives a ticket for each purchase, newest first, and answers 304 while nothing changes', async () => {
    const [ada, phone] = [await test.createUser(), createPhone()];
    const [one, two] = [await createItems(test, ada, { count: 2 }), await createItems(test, ada)];
    await registerPhone(test, ada, phone);
    const { body, headers } = await askTickets(test, ada);
    expect(itemsOf(body.tickets)).toEqual([two.itemIds, one.itemIds]);
    expect(body.tickets[0].purchase_id).toBe(two.purchaseId);
    const etag = String(headers['etag']);
    const again = await askTickets(test, ada, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    await createItems(test, ada);
    expect((await askTickets(test, ada, { 'if-none-match': etag })).status).toBe(200);
  });

  it('renews tickets after an hour, and leaves out what was redeemed', async () => {
    const [ada, phone] = [await test.createUser(), createPhone()];
    const { itemIds } = await createItems(test, ada, { count: 2 });
    const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
    test.clock.advance(59 * 60_000);
    const kept = await askTickets(test, ada);
    expect(kept.body.tickets[0].ticket).toBe(Buffer.from(ticket).toString('base64url'));
    test.clock.advance(61_000);
    const renewed = await askTickets(test, ada);
    expect(renewed.body.tickets[0].ticket).not.toBe(kept.body.tickets[0].ticket);
    expect(itemsOf(renewed.body.tickets)).toEqual([itemIds]);
    const staff = await createStaff(test);
    await test.request({
      method: 'POST',
      url: '/api/scanner/redeem',
      user: staff,
      key: randomUUID(),
      payload: {
        payload: showTicket(phone, ticket, {
          atMs: test.clock.nowMs(),
          itemIds: itemIds.slice(0, 1),
        }),
      },
    });
    expect(itemsOf((await askTickets(test, ada)).body.tickets)).toEqual([itemIds.slice(1)]);
  });

  it('gives 200 items at most, and splits what does not fit into a ticket', async () => {
    const [ada, phone, offer] = [await test.createUser(), createPhone(), await createOffer(test)];
    await createItems(test, ada, { count: 99, offer });
    await createItems(test, ada, { count: 99, offer });
    const { itemIds } = await createItems(test, ada, { count: 99, offer });
    // Creates gaps between the ids, so that each item is a group of its own and 12 fit into a ticket.
    await test.deps.db
      .deleteFrom('purchase_items')
      .where('id', 'in', itemIds.filter((_, index) => index % 2 === 1).map(BigInt))
      .execute();
    await registerPhone(test, ada, phone);
    const counts = itemsOf((await askTickets(test, ada)).body.tickets).map(({ length }) => length);
    expect(counts).toEqual([12, 12, 12, 12, 2, 99, 51]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
  });

  it('keeps to the hours that the programme sets', async () => {
    const [ada, phone] = [await test.createUser(), createPhone()];
    await createItems(test, ada);
    const { db, notifications, programme } = test.deps;
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
    await db
      .insertInto('programme_settings')
      .values({
        key: 'ticket_hours',
        value: '6',
        changed_by: 'test',
        changed_at: new Date(test.clock.nowMs()),
      })
      .execute();
    await sql`select pg_notify('programme_changed', '')`.execute(db);
    await expect.poll(async () => (await programme()).ticketHours, { timeout: 10_000 }).toBe(6);
    const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
    expect(parseTicket(ticket)?.content.validHours).toBe(6);
  });
});

describe('a ticket ends', () => {
  async function createHolder() {
    const ada = await openUser(test);
    const phone = createPhone();
    await createItems(test, ada);
    const [ticket = new Uint8Array()] = await ticketsOf(test, ada, phone);
    return { ada, phone, ticket };
  }

  it('[W-027] with sign-out by hand, and not with the one for being away', async () => {
    const [away, gone] = [await createHolder(), await createHolder()];
    expect((await post('/api/account/logout?reason=away', away.ada)).status).toBe(200);
    expect((await post('/api/account/logout', gone.ada)).status).toBe(200);
    expect(await scanned(away.phone, away.ticket)).toBe(1);
    expect(await scanned(gone.phone, gone.ticket)).toBe('ticket_ended');
  });

  it('with POST account/ticket_phone/end', async () => {
    const { ada, phone, ticket } = await createHolder();
    expect((await post('/api/account/ticket_phone/end', ada)).body).toEqual({ success: true });
    expect((await askTickets(test, ada)).body).toMatchObject({ phone: null, tickets: [] });
    expect(await scanned(phone, ticket)).toBe('ticket_ended');
  });

  it('with the session of its phone, also when the owner ends it from another device', async () => {
    const { ada, phone, ticket } = await createHolder();
    const laptop = await inOtherSession(ada);
    expect((await post(sessionPath(ada, '{id}/end'), laptop)).status).toBe(200);
    expect(await scanned(phone, ticket)).toBe('ticket_ended');
  });

  it('not with the session of another device', async () => {
    const { ada, phone, ticket } = await createHolder();
    const laptop = await inOtherSession(ada);
    expect((await post(sessionPath(laptop, '{id}/end'), ada)).status).toBe(200);
    expect(await scanned(phone, ticket)).toBe(1);
  });

  it('with any session once the phone was signed out for being away, unless it has proved its key since then', async () => {
    const [one, two] = [await createHolder(), await createHolder()];
    const phoneAgain = [];
    for (const { ada } of [one, two]) {
      const laptop = await inOtherSession(ada);
      await post('/api/account/logout?reason=away', ada);
      phoneAgain.push({ laptop, again: await inOtherSession(ada) });
    }
    const [first, second] = phoneAgain;
    if (first === undefined || second === undefined) throw new Error('two holders');
    expect(await post(sessionPath(first.again, '{id}/end'), first.laptop)).toMatchObject({
      status: 200,
    });
    expect(await scanned(one.phone, one.ticket)).toBe('ticket_ended');
    expect((await registerPhone(test, second.again, two.phone)).status).toBe(200);
    expect((await post(sessionPath(second.laptop, '{id}/end'), second.again)).status).toBe(200);
    expect(await scanned(two.phone, two.ticket)).toBe(1);
  });

  it('and no phone is made in a session that ends at the same time', async () => {
    const ada = await openUser(test);
    const ender = await inOtherSession(ada);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => registerPhone(test, ada, createPhone())),
      post(sessionPath(ada, 'end_others'), ender),
      ...Array.from({ length: 4 }, () => registerPhone(test, ada, createPhone())),
    ]);
    expect(answers.every(({ status }) => [200, 401, 409].includes(status))).toBe(true);
    expect((await askTickets(test, ender)).body.phone).toBeNull();
  });

  it('[W-028] with a changed password', async () => {
    const { ada, phone, ticket } = await createHolder();
    const answer = await test.request({
      method: 'PUT',
      url: '/api/account/update_password',
      user: ada,
      key: randomUUID(),
      payload: { old_password: PASSWORD, password: OTHER_PASSWORD },
    });
    expect(answer.status).toBe(200);
    expect(await scanned(phone, ticket)).toBe('ticket_ended');
  });

  it('[W-028] with a reset password', async () => {
    const { ada, phone, ticket } = await createHolder();
    await forgotPassword(test, ada.email);
    await test.runJobs();
    const reset = await resetPassword(test, latestCodeTo(test, ada.email), OTHER_PASSWORD);
    expect(reset.status).toBe(200);
    expect(await scanned(phone, ticket)).toBe('ticket_ended');
  });

  it('[W-029] with the deletion of the account, at once and after its erasure', async () => {
    const { ada, phone, ticket } = await createHolder();
    const answer = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: ada,
      key: randomUUID(),
      payload: { password: PASSWORD },
    });
    expect(answer.status).toBe(200);
    expect(await scanned(phone, ticket)).toBe('ticket_ended');
    await test.runJobs();
    const rows = await test.deps.db
      .selectFrom('ticket_phones')
      .select('id')
      .where('user_id', '=', ada.userId)
      .execute();
    expect(rows).toEqual([]);
    expect(await scanned(phone, ticket)).toBe('invalid_signature');
    const number = BigInt(parseTicket(ticket)?.content.number ?? 0);
    const kept = await test.deps.db
      .selectFrom('tickets')
      .innerJoin('ticket_phones as phone', 'phone.id', 'tickets.phone_id')
      .select(['phone.user_id', 'phone.public_key', 'phone.label', 'phone.session_id'])
      .select(['tickets.purchase_id', 'tickets.ticket'])
      .where('tickets.id', '=', number)
      .execute();
    expect(kept).toEqual([
      {
        user_id: null,
        public_key: null,
        label: '',
        session_id: null,
        purchase_id: null,
        ticket: Buffer.alloc(0),
      },
    ]);
  });

  it('counts nothing while staff hold redemption', async () => {
    const { ada, phone, ticket } = await createHolder();
    await test.deps.db
      .insertInto('account_holds')
      .values({
        user_id: ada.userId,
        kinds: ['redeem'],
        cause: 'staff',
        cause_id: randomUUID(),
        reason: 'test',
        placed_at: new Date(test.clock.nowMs()),
      })
      .execute();
    expect((await askTickets(test, ada)).body.tickets).toEqual([]);
    expect(await scanned(phone, ticket)).toBe('account_restricted');
  });
});

it('tickets are deleted 30 days after their time, and phones after they ended', async () => {
  const [ada, phone] = [await test.createUser(), createPhone()];
  await createItems(test, ada);
  await ticketsOf(test, ada, phone);
  await post('/api/account/ticket_phone/end', ada);
  const count = async () =>
    (
      await test.deps.db
        .selectFrom('ticket_phones')
        .select('id')
        .where('user_id', '=', ada.userId)
        .execute()
    ).length;
  const countAfter = async (days: number) => {
    test.clock.advance(days * 86_400_000);
    await enqueueJob(test.deps.db, 'scanner_prune', {});
    await test.runJobs();
    return count();
  };
  expect(await countAfter(29)).toBe(1);
  expect(await countAfter(2)).toBe(0);
});
