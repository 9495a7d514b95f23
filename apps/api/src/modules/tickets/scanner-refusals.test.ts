/** The refusals of the scanner's calls, each with its own code and message. */
import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '@athos/contract/errors';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import {
  createItems,
  createStaff,
  createVenue,
  purchaseCode,
  purchaseContent,
  signedCode,
  unbindStaff,
} from '../../../test/build-redemption.ts';
import { openSecondApp } from '../../../test/second-app.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

type Asker = Pick<TestApp, 'request'>;
interface Asked {
  payload: string;
  venue_id?: number;
}
const scan = (user: TestUser, payload: Asked, at: Asker = test) =>
  at.request({ method: 'POST', url: '/api/scanner/scan', user, payload });
const redeem = (user: TestUser, payload: Asked, at: Asker = test, key: string = randomUUID()) =>
  at.request({ method: 'POST', url: '/api/scanner/redeem', user, payload, key });
const BOTH = [
  ['scan', scan],
  ['redeem', redeem],
] as const;

/** Expects that nothing was redeemed, that the attempt was logged with this code, and that the response has its message. */
async function expectRefusal(
  answer: Awaited<ReturnType<typeof scan>>,
  code: ErrorCode,
  staff: TestUser,
): Promise<void> {
  expect({ status: answer.status, code: answer.body.code, title: answer.body.title }).toEqual({
    status: ERRORS[code].status,
    code,
    title: ERRORS[code].title,
  });
  const kept = await test.deps.db
    .selectFrom('scans')
    .select(['outcome', 'redeemed_count'])
    .where('user_id', '=', staff.userId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  expect(kept).toEqual({ outcome: code, redeemed_count: 0 });
}

async function redeemedCount(itemIds: readonly number[]): Promise<number> {
  const rows = await test.deps.db
    .selectFrom('purchase_items')
    .select('id')
    .where('id', 'in', itemIds.map(BigInt))
    .where('redeemed_at', 'is not', null)
    .execute();
  return rows.length;
}

async function shop() {
  const [ada, staff] = [await test.createUser(), await createStaff(test)];
  const { itemIds } = await createItems(test, ada, { count: 2 });
  return { ada, staff, itemIds };
}

describe.each(BOTH)('a code that %s refuses', (_name, ask) => {
  const signatureOf = (text: string): string => (JSON.parse(text) as { s: string }).s;

  it('is unreadable_code unless the text is exactly the one that the wallet shows', async () => {
    const { ada, staff, itemIds } = await shop();
    const content = purchaseContent(test, ada, itemIds);
    const text = signedCode(test, content);
    const { t, d } = content;
    const s = signatureOf(text);
    for (const payload of [
      '',
      ' ',
      'a poster',
      'null',
      '[]',
      '"text"',
      '{',
      '🥤'.repeat(500),
      '\u0000',
      '\ud800',
      'https://athos.example/app',
      ada.uuid,
      '9'.repeat(7_089),
      ` ${text}`,
      `${text}\n`,
      `\ufeff${text}`,
      JSON.stringify({ d, t, s }),
      JSON.stringify({ t, d: { ...d, x: 1 }, s }),
      JSON.stringify({ t, d, s, x: 1 }),
      JSON.stringify({ t, d: { t: d.t, a: d.a, v: d.v, i: d.i }, s }),
      JSON.stringify({ t, d }),
      JSON.stringify({ t, d, s: 7 }),
      JSON.stringify({ t, d, s: '' }),
      text.replace('"v":1', '"v":1.0'),
      text.replace(`"t":${d.t}`, `"t":"${d.t}"`),
      text.replace('"purchase"', '"purchas\\u0065"'),
      text.replace('"purchase"', '"Purchase"'),
      signedCode(test, { t, d: { ...d, v: 2 } }),
      signedCode(test, { t, d: { ...d, i: [] } }),
      signedCode(test, { t, d: { ...d, i: [1, 1] } }),
      signedCode(test, { t, d: { ...d, i: [0] } }),
      signedCode(test, { t, d: { ...d, i: Array.from({ length: 41 }, (_, index) => index + 1) } }),
      signedCode(test, { t, d: { ...d, a: 'x'.repeat(36) } }),
      signedCode(test, { t: 'tier', d }),
    ]) {
      await expectRefusal(await ask(staff, { payload }), 'unreadable_code', staff);
    }
    expect(await redeemedCount(itemIds)).toBe(0);
  });

  it('is an invalid request above the capacity of a QR code', async () => {
    const staff = await createStaff(test);
    const { status, body } = await ask(staff, { payload: '9'.repeat(7_090) });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  });

  it('is invalid_signature if anything in it was changed or another key signed it', async () => {
    const { ada, staff, itemIds } = await shop();
    const [other, theirs] = [await test.createUser(), await createItems(test, ada)];
    const content = purchaseContent(test, ada, itemIds);
    const s = signatureOf(signedCode(test, content));
    const { d } = content;
    const [one = 0, two = 0] = itemIds;
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const bytes = Buffer.from(s, 'base64url');
    for (const payload of [
      signedQrText({ ...content, d: { ...d, i: [...itemIds, ...theirs.itemIds] } }, s),
      signedQrText({ ...content, d: { ...d, i: [one] } }, s),
      signedQrText({ ...content, d: { ...d, i: [two, one] } }, s),
      signedQrText({ ...content, d: { ...d, a: other.uuid } }, s),
      signedQrText({ ...content, d: { ...d, a: ada.uuid.toUpperCase() } }, s),
      signedQrText({ ...content, d: { ...d, t: d.t + 1 } }, s),
      signedQrText({ t: 'tier', d: { a: d.a, t: d.t, v: 1 } }, s),
      signedQrText(
        content,
        sign(null, Buffer.from(canonicalQrText(content)), stranger).toString('base64url'),
      ),
      signedQrText(content, randomBytes(64).toString('base64url')),
      signedQrText(content, bytes.subarray(0, 63).toString('base64url')),
      // Other spellings that decode to the right bytes are not accepted as a second code.
      signedQrText(content, `${s}==`),
      signedQrText(content, ` ${s}`),
      signedQrText(content, bytes.toString('base64')),
      signedQrText(content, 'x'),
    ]) {
      await expectRefusal(await ask(staff, { payload }), 'invalid_signature', staff);
    }
    expect(await redeemedCount([...itemIds, ...theirs.itemIds])).toBe(0);
  });

  it('is invalid_signature for an unknown account', async () => {
    const staff = await createStaff(test);
    const d = { a: crypto.randomUUID(), t: test.clock.nowMs(), v: 1, i: [1] };
    const payload = signedCode(test, { t: 'purchase', d });
    await expectRefusal(await ask(staff, { payload }), 'invalid_signature', staff);
  });

  it('is wrong_code_kind if it is a transfer code', async () => {
    const { ada, staff } = await shop();
    const d = { a: ada.uuid, t: test.clock.nowMs(), v: 1 };
    const payload = signedCode(test, { t: 'transfer', d });
    await expectRefusal(await ask(staff, { payload }), 'wrong_code_kind', staff);
  });

  it('[D-075] is code_expired more than 30 s after its t, and not a millisecond earlier', async () => {
    for (const kind of ask === scan ? (['purchase', 'tier'] as const) : (['purchase'] as const)) {
      const { ada, staff, itemIds } = await shop();
      const late = await createStaff(test, staff.venues);
      const d = { a: ada.uuid, v: 1, ...(kind === 'purchase' ? { i: itemIds } : {}) };
      const frozen = frozenClock();
      const nowMs = frozen.nowMs();
      const codeOfAge = (ageMs: number) =>
        signedCode(test, { t: kind, d: { ...d, t: nowMs - ageMs } });
      const expired = await ask(late, { payload: codeOfAge(30_001) });
      const inTime = await ask(staff, { payload: codeOfAge(30_000) });
      frozen.thaw();
      await expectRefusal(expired, 'code_expired', late);
      expect(inTime.status).toBe(200);
    }
  });

  it('is code_from_future if its t is more than 30 s ahead, and not a millisecond less', async () => {
    const { ada, staff, itemIds } = await shop();
    const frozen = frozenClock();
    const codeAhead = (aheadMs: number) => {
      const { t, d } = purchaseContent(test, ada, itemIds);
      return signedCode(test, { t, d: { ...d, t: frozen.nowMs() + aheadMs } });
    };
    const ahead = await ask(staff, { payload: codeAhead(30_001) });
    frozen.thaw();
    await expectRefusal(ahead, 'code_from_future', staff);
    const again = frozenClock();
    const within = await ask(staff, { payload: codeAhead(30_000) });
    again.thaw();
    expect(within.status).toBe(200);
  });
});

/** Stops the clock of the test, so that limits can be tested to the millisecond. */
function frozenClock(nowMs = test.clock.nowMs()): { nowMs(): number; thaw(): void } {
  const moving = test.clock.nowMs.bind(test.clock);
  test.clock.nowMs = () => nowMs;
  return { nowMs: () => nowMs, thaw: () => (test.clock.nowMs = moving) };
}

describe('a code that was scanned in time', () => {
  it('[D-175] can be redeemed until 120 s after its t by the scanner that scanned it, and no longer', async () => {
    const { ada, staff, itemIds } = await shop();
    const { t, d } = purchaseContent(test, ada, itemIds);
    const payload = signedCode(test, { t, d });
    expect((await scan(staff, { payload })).status).toBe(200);
    const [one = 0, two = 0] = itemIds;
    const at = async (ageMs: number, item: number) => {
      const frozen = frozenClock(d.t + ageMs);
      const answer = await test.request({
        method: 'POST',
        url: '/api/scanner/redeem',
        user: staff,
        payload: { payload, item_ids: [item] },
      });
      frozen.thaw();
      return answer;
    };
    expect((await at(30_001, one)).body.redeemed_count).toBe(1);
    expect((await at(120_000, two)).body.redeemed_count).toBe(1);
    await expectRefusal(await at(120_001, two), 'code_expired', staff);
    expect(await redeemedCount(itemIds)).toBe(2);
  });

  it('[D-075] is not shown again after 30 s, not even to the scanner that scanned it', async () => {
    const { ada, staff, itemIds } = await shop();
    const payload = purchaseCode(test, ada, itemIds);
    await scan(staff, { payload });
    test.clock.advance(30_001);
    await expectRefusal(await scan(staff, { payload }), 'code_expired', staff);
  });

  it('can also be redeemed late by the scanner that redeemed part of it without a scan', async () => {
    const { ada, staff, itemIds } = await shop();
    const payload = purchaseCode(test, ada, itemIds);
    const { body } = await test.request({
      method: 'POST',
      url: '/api/scanner/redeem',
      user: staff,
      payload: { payload, item_ids: itemIds.slice(0, 1) },
    });
    expect(body.redeemed_count).toBe(1);
    test.clock.advance(60_000);
    expect((await redeem(staff, { payload })).body.redeemed_count).toBe(1);
  });

  it.each(BOTH)(
    '[D-176] is code_replayed for another scanner, or at another venue, that calls %s',
    async (_name, ask) => {
      const venues = [await createVenue(test), await createVenue(test)] as const;
      const [ada, staff] = [await test.createUser(), await createStaff(test, venues)];
      const colleague = await createStaff(test, venues);
      const { itemIds } = await createItems(test, ada);
      const payload = purchaseCode(test, ada, itemIds);
      const [here, there] = venues;
      expect((await scan(staff, { payload, venue_id: here.id })).status).toBe(200);
      const byOther = await ask(colleague, { payload, venue_id: here.id });
      await expectRefusal(byOther, 'code_replayed', colleague);
      const elsewhere = await ask(staff, { payload, venue_id: there.id });
      await expectRefusal(elsewhere, 'code_replayed', staff);
      expect(await redeemedCount(itemIds)).toBe(0);
      expect((await redeem(staff, { payload, venue_id: here.id })).body.redeemed_count).toBe(1);
    },
  );

  it('is not code_replayed for the next code of the same items', async () => {
    const { ada, staff, itemIds } = await shop();
    const colleague = await createStaff(test, staff.venues);
    await scan(staff, { payload: purchaseCode(test, ada, itemIds) });
    test.clock.advance(1);
    const next = await redeem(colleague, { payload: purchaseCode(test, ada, itemIds) });
    expect(next.body.redeemed_count).toBe(2);
  });
});

describe('permission to scan', () => {
  const CALLS = [
    ['GET', '/api/scanner/venues'],
    ['POST', '/api/scanner/scan'],
    ['POST', '/api/scanner/redeem'],
    ['GET', '/api/scanner/scans'],
  ] as const;
  const call = ([method, url]: readonly ['GET' | 'POST', string], user?: TestUser) =>
    test.request({
      method,
      url,
      ...(user === undefined ? {} : { user }),
      ...(method === 'POST' ? { payload: { payload: 'a poster' } } : {}),
    });

  it.each(CALLS)('[D-078] %s %s is forbidden without the role', async (...of) => {
    const { status, body } = await call(of, await test.createUser());
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' });
  });

  it.each(CALLS)('%s %s requires a session', async (...of) => {
    const { status, body } = await call(of);
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'unauthenticated' });
  });

  it.each(CALLS)('%s %s is refused as soon as the last venue is revoked', async (...of) => {
    const staff = await createStaff(test);
    expect((await call(of, staff)).body.code).not.toBe('staff_revoked');
    await unbindStaff(test, staff, staff.venues[0]?.id ?? 0);
    const { status, body } = await call(of, staff);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'staff_revoked' });
  });

  it.each(CALLS)(
    '%s %s is refused as soon as the role is revoked, even if the session still has it',
    async (...of) => {
      const staff = await createStaff(test);
      await call(of, staff);
      await test.deps.db
        .updateTable('users')
        .set({ role: 'user' })
        .where('id', '=', staff.userId)
        .execute();
      const { status, body } = await call(of, staff);
      expect({ status, code: body.code }).toEqual({ status: 403, code: 'staff_revoked' });
    },
  );

  it('[D-078] a replay is forbidden too without the role, and the item stays redeemed', async () => {
    const { ada, staff, itemIds } = await shop();
    const asked = { payload: purchaseCode(test, ada, itemIds) };
    const key = randomUUID();
    expect((await redeem(staff, asked, test, key)).status).toBe(200);
    await test.deps.db
      .updateTable('users')
      .set({ role: 'user' })
      .where('id', '=', staff.userId)
      .execute();
    const other = await openSecondApp(test);
    const { status, body } = await redeem(staff, asked, other, key);
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'forbidden' });
    expect(await redeemedCount(itemIds)).toBe(2);
    await other.close();
  });

  it('logs the attempts of revoked staff', async () => {
    const { ada, staff, itemIds } = await shop();
    await unbindStaff(test, staff, staff.venues[0]?.id ?? 0);
    const payload = purchaseCode(test, ada, itemIds);
    await expectRefusal(await redeem(staff, { payload }), 'staff_revoked', staff);
    expect(await redeemedCount(itemIds)).toBe(0);
  });

  it.each(BOTH)(
    'is bound to venues: %s refuses with venue_required or foreign_venue',
    async (_name, ask) => {
      const venues = [await createVenue(test), await createVenue(test)] as const;
      const [ada, staff] = [await test.createUser(), await createStaff(test, venues)];
      const elsewhere = await createVenue(test);
      const { itemIds } = await createItems(test, ada);
      const payload = purchaseCode(test, ada, itemIds);
      const [here, there] = venues;
      await expectRefusal(await ask(staff, { payload }), 'venue_required', staff);
      for (const venueId of [elsewhere.id, 2_147_483_647]) {
        await expectRefusal(
          await ask(staff, { payload, venue_id: venueId }),
          'foreign_venue',
          staff,
        );
      }
      await unbindStaff(test, staff, there.id);
      await expectRefusal(
        await ask(staff, { payload, venue_id: there.id }),
        'foreign_venue',
        staff,
      );
      expect((await ask(staff, { payload })).status).toBe(200);
      expect(here.id).not.toBe(there.id);
    },
  );
});

describe('too many attempts', () => {
  it('are refused and counted, not logged one by one, and do not affect other staff', async () => {
    const busy = await openSecondApp(test, { env: { SCANS_PER_SECOND: '1' } });
    const [staff, other] = [await createStaff(test), await createStaff(test)];
    const frozen = frozenClock();
    const poster = { payload: 'a poster' };
    for (let count = 1; count <= 5; count += 1) {
      const ask = count % 2 === 0 ? scan : redeem;
      expect((await ask(staff, poster, busy)).body.code).toBe('unreadable_code');
    }
    const refused = await scan(staff, poster, busy);
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 429,
      code: 'too_many_requests',
    });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await scan(other, poster, busy)).body.code).toBe('unreadable_code');
    frozen.thaw();
    test.clock.advance(1_000);
    expect((await scan(staff, poster, busy)).body.code).toBe('unreadable_code');
    const kept = await test.deps.db
      .selectFrom('scans')
      .select('id')
      .where('user_id', '=', staff.userId)
      .execute();
    expect(kept).toHaveLength(6);
    const refusedCount = async (): Promise<number> =>
      (await test.request({ method: 'GET', url: '/api/scanner/scans', user: staff })).body.counts
        .refused;
    await expect.poll(refusedCount).toBe(7);
    await busy.close();
  });
});

describe('above the limit', () => {
  it('a finished redemption is answered again', async () => {
    const busy = await openSecondApp(test, { env: { SCANS_PER_SECOND: '1' } });
    const { ada, staff, itemIds } = await shop();
    const asked = { payload: purchaseCode(test, ada, itemIds) };
    const frozen = frozenClock();
    const key = randomUUID();
    const first = await redeem(staff, asked, busy, key);
    expect(first.status).toBe(200);
    for (let count = 2; count <= 6; count += 1) await scan(staff, { payload: 'a poster' }, busy);
    expect((await redeem(staff, asked, busy)).status).toBe(429);
    const again = await redeem(staff, asked, busy, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
    frozen.thaw();
    await busy.close();
  });
});

describe('a clock that was set back', () => {
  it('blocks nobody from scanning, and the limit holds', async () => {
    const busy = await openSecondApp(test, { env: { SCANS_PER_SECOND: '1' } });
    const staff = await createStaff(test);
    const startMs = test.clock.nowMs();
    const codeAt = async (nowMs: number): Promise<string> => {
      const frozen = frozenClock(nowMs);
      const { body } = await scan(staff, { payload: 'a poster' }, busy);
      frozen.thaw();
      return body.code;
    };
    for (let count = 1; count <= 5; count += 1) {
      expect(await codeAt(startMs)).toBe('unreadable_code');
    }
    const tenMinutesAgoMs = startMs - 600_000;
    expect(await codeAt(tenMinutesAgoMs)).toBe('too_many_requests');
    expect(await codeAt(tenMinutesAgoMs + 1_000)).toBe('unreadable_code');
    expect(await codeAt(tenMinutesAgoMs + 1_000)).toBe('too_many_requests');
    await busy.close();
  });
});

describe('a key rotation', () => {
  it('keeps codes of the old key valid for their 30 s, and signs with the new one', async () => {
    const oldKey = test.deps.config.signingSeeds[0]?.toString('base64url') ?? '';
    const newKey = randomBytes(32).toString('base64url');
    const { ada, staff, itemIds } = await shop();
    const [one = 0, two = 0] = itemIds;
    const shown = purchaseCode(test, ada, [one]);
    const rotated = await openSecondApp(test, { env: { SIGNING_KEYS: `${newKey},${oldKey}` } });
    const retired = await openSecondApp(test, { env: { SIGNING_KEYS: newKey } });
    expect(rotated.deps.keys.jwks).toHaveLength(2);
    expect((await redeem(staff, { payload: shown }, rotated)).body.redeemed_count).toBe(1);
    const fresh = signedCode({ ...test, deps: rotated.deps }, purchaseContent(test, ada, [two]));
    expect(
      test.deps.keys.verifyText(
        canonicalQrText(purchaseContent(test, ada, [two])),
        JSON.parse(fresh).s,
      ),
    ).toBe(false);
    const tokenOfNewKey = await retired.deps.sessions.open(test.deps.db, {
      userId: staff.userId,
      userUuid: staff.uuid,
    });
    const newStaff = { ...staff, token: tokenOfNewKey };
    expect((await redeem(newStaff, { payload: shown }, retired)).body.code).toBe(
      'invalid_signature',
    );
    expect((await redeem(newStaff, { payload: fresh }, retired)).body.redeemed_count).toBe(1);
    const late = purchaseCode(test, ada, [two]);
    test.clock.advance(30_001);
    expect((await redeem(staff, { payload: late }, rotated)).body.code).toBe('code_expired');
    await rotated.close();
    await retired.close();
  });
});
