// @vitest-environment jsdom
import type { ErrorCode } from '@athos/contract/errors';
import { playScanFeedback } from '@athos/ui/qr/scan-feedback';
import { act, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { fakeToken, STAFF_UUID } from '@athos/testing/session';
import {
  BAR,
  HALL,
  HOLDER,
  purchaseScan,
  redemptionOf,
  scannedItem,
} from '@athos/testing/samples/scanner';
import { pass } from '@athos/testing/fake-time';
import { beginTest, closeApp, endTest, openSignedIn } from '../../../test/staff.tsx';

/** Replaces the camera, which jsdom lacks: records whether it is paused, and passes on codes. */
const camera = vi.hoisted(() => ({ isPaused: false, onDecoded: (_text: string) => {} }));
vi.mock('@athos/ui/qr/qr-scanner', () => ({
  QrScanner: (props: typeof camera) => {
    Object.assign(camera, props);
    return null;
  },
}));
vi.mock('@athos/ui/qr/scan-feedback', () => ({ playScanFeedback: vi.fn<() => void>() }));

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(() => {
  vi.mocked(playScanFeedback).mockClear();
  endTest();
});

const CODE = '{"t":"purchase","d":{"a":"a","t":1,"v":1,"i":[1,2]},"s":"x"}';

async function show(code = CODE): Promise<void> {
  expect(camera.isPaused).toBe(false);
  await act(async () => camera.onDecoded(code));
  await pass();
}
const press = async (
  user: Awaited<ReturnType<typeof openSignedIn>>,
  name: string | RegExp,
): Promise<void> => {
  await user.click(screen.getByRole('button', { name }));
  await pass();
};
const headline = () =>
  within(screen.getByRole('main')).getByRole('heading', { level: 2 }).textContent;
const rows = (list: string) =>
  within(screen.getByRole('list', { name: list }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
/** The verdict's colour and text; `null` if no verdict is shown. */
const verdict = () => {
  const box = document.querySelector<HTMLElement>('[data-tone]');
  return box === null ? null : { tone: box.dataset['tone'], text: box.textContent };
};

describe('reading a code', () => {
  it(
    'shows each item of the code with its title and state, and redeems nothing',
    { tags: 'long' },
    async () => {
      backend.answer('scannerScan', () =>
        purchaseScan(
          scannedItem(1),
          scannedItem(2, { state: 'inactive' }),
          scannedItem(3, { state: 'wrong_venue' }),
          scannedItem(4, { state: 'not_found', title: '' }),
        ),
      );
      await openSignedIn();
      await show();
      expect(rows('Items in this code')).toEqual([
        'Cold Brew 1 Ready to redeem',
        'Cold Brew 2 Not available at the moment',
        'Cold Brew 3 Not redeemed at this venue',
        "Unknown item Not among the guest's purchases",
      ]);
      expect(screen.getByText('Guest 0192aaaa')).toBeDefined();
      expect(camera.isPaused).toBe(true);
      const [asked] = backend.calls('scannerScan');
      expect(asked?.body).toEqual({ payload: CODE, venue_id: BAR.id });
      expect(backend.calls('scannerRedeem')).toEqual([]);
    },
  );

  it('counts down the time left to redeem the code, and then disables redeeming', async () => {
    await openSignedIn();
    await show();
    expect(screen.getByRole('timer').textContent).toMatch(/^Time left to redeem: 1:(39|40)$/);
    await pass(30_000);
    expect(screen.getByRole('timer').textContent).toMatch(/^Time left to redeem: 1:(09|10)$/);
    await pass(71_000);
    expect(screen.queryByRole('button', { name: /Redeem/ })).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain('The time for this code is over.');
    expect(screen.getByRole('button', { name: 'Next scan' })).toBeDefined();
  });

  it('shows the title and colour of the tier, and the holder', async () => {
    const tier = { id: 3, title: 'Gold', amount: '1', color: '#d9a935', note: '' };
    backend.answer('scannerScan', () => ({ kind: 'tier', holder: HOLDER, tier }));
    await openSignedIn();
    await show();
    const title = screen.getByRole('heading', { level: 2, name: 'Gold Tier' });
    expect(title.parentElement?.style.backgroundColor).toBe('rgb(217, 169, 53)');
    expect(screen.getByText('Guest 0192aaaa')).toBeDefined();
    expect(playScanFeedback).toHaveBeenCalledWith('success');
  });

  it('says that no tier was reached', async () => {
    backend.answer('scannerScan', () => ({ kind: 'tier', holder: HOLDER, tier: null }));
    await openSignedIn();
    await show();
    expect(headline()).toBe('No Tier Reached');
  });

  it("refuses a second scan and shows the first one's time and venue", async () => {
    const used = {
      state: 'already_redeemed' as const,
      redeemed_at: new Date(2026, 10, 21, 19, 14).toISOString(),
      redeemed_venue: HALL.name,
    };
    vi.setSystemTime(new Date(2026, 10, 21, 20, 0));
    backend.answer('scannerScan', () => purchaseScan(scannedItem(1, used)));
    await openSignedIn();
    await show();
    expect(verdict()).toEqual({
      tone: 'bad',
      text: 'Already redeemedAlready redeemed at Great Hall, 7:14 PM',
    });
    expect(screen.queryByRole('button', { name: /Redeem/ })).toBeNull();
    expect(playScanFeedback).toHaveBeenCalledWith('refused');
  });
});

describe('redeeming', () => {
  it('redeems all items of the code with one button', async () => {
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    const [asked] = backend.calls('scannerRedeem');
    expect(asked?.body).toEqual({ payload: CODE, venue_id: BAR.id, item_ids: [1, 2] });
    expect(asked?.headers.get('idempotency-key')).toMatch(/^[\da-f-]{36}$/);
    expect(verdict()).toEqual({ tone: 'good', text: '2 items redeemed' });
    expect(playScanFeedback).toHaveBeenCalledWith('success');
  });

  it('redeems the ticked items, and gives a reason while none is ticked', async () => {
    const user = await openSignedIn();
    await show();
    await user.click(screen.getByRole('checkbox', { name: /Cold Brew 1/ }));
    await user.click(screen.getByRole('checkbox', { name: /Cold Brew 2/ }));
    expect(screen.getByText('Tick at least one item.')).toBeDefined();
    await user.click(screen.getByRole('checkbox', { name: /Cold Brew 2/ }));
    await press(user, 'Redeem 1 of 2');
    expect(backend.calls('scannerRedeem')[0]?.body.item_ids).toEqual([2]);
    expect(verdict()?.text).toBe('1 item redeemed');
  });

  it('counts equal items in one row, and redeems as many of them as chosen', async () => {
    const title = 'Amber Fizz';
    const items = Array.from({ length: 20 }, (_, index) => scannedItem(index + 1, { title }));
    backend.answer('scannerScan', () => purchaseScan(...items, scannedItem(21)));
    const user = await openSignedIn();
    await show();
    expect(rows('Items in this code')).toEqual([
      '20 × Amber Fizz Ready to redeem',
      'Cold Brew 21 Ready to redeem',
    ]);
    const howMany = within(screen.getByRole('group', { name: 'How many of Amber Fizz' }));
    await user.click(howMany.getByRole('button', { name: 'Decrease quantity' }));
    expect(screen.getByRole('button', { name: 'Redeem 20 of 21' })).toBeDefined();
    await user.type(howMany.getByRole('textbox'), '{Control>}a{/Control}02');
    await user.click(screen.getByRole('checkbox', { name: /Cold Brew 21/ }));
    await press(user, 'Redeem 2 of 21');
    expect(backend.calls('scannerRedeem')[0]?.body.item_ids).toEqual([1, 2]);
  });

  it('says at once how much of a partly used code is left', async () => {
    const used = { state: 'already_redeemed' as const, redeemed_at: new Date().toISOString() };
    backend.answer('scannerScan', () =>
      purchaseScan(scannedItem(1, used), scannedItem(2), scannedItem(3, used)),
    );
    await openSignedIn();
    await show();
    expect(headline()).toBe('1 of 3 left');
  });

  it('returns to the camera by itself after a green result', async () => {
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    expect(screen.getByText('Camera in 4 s. Touch the screen to stay.')).toBeDefined();
    await pass(3900);
    expect(verdict()?.tone).toBe('good');
    await pass(200);
    expect(camera.isPaused).toBe(false);
  });

  it('stays on a green result that staff touch, and on any other result', async () => {
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    await user.click(screen.getByRole('list', { name: 'Result for each item' }));
    expect(screen.queryByText(/^Camera in/)).toBeNull();
    await pass(60_000);
    expect(verdict()?.tone).toBe('good');
    await press(user, 'Next scan');
    backend.answer('scannerRedeem', () => ({
      redeemed_count: 0,
      results: redemptionOf(1, 2).results.map((one) => ({ ...one, outcome: 'inactive' as const })),
    }));
    await show('another code');
    await press(user, 'Redeem all 2 items');
    await pass(60_000);
    expect(verdict()?.tone).toBe('bad');
  });

  it('shows an outcome per item when another scanner was faster with some', async () => {
    vi.setSystemTime(new Date(2026, 10, 21, 20, 0));
    backend.answer('scannerRedeem', () => {
      const answer = redemptionOf(1, 2);
      const [first, second] = answer.results;
      if (first === undefined || second === undefined) throw new Error('expected two items');
      return {
        redeemed_count: 1,
        results: [
          first,
          {
            ...second,
            outcome: 'already_redeemed' as const,
            redeemed_at: new Date(2026, 10, 20, 19, 59).toISOString(),
            redeemed_venue: HALL.name,
          },
        ],
      };
    });
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    expect(verdict()?.tone).toBe('partly');
    expect(headline()).toBe('1 of 2 redeemed');
    expect(rows('Result for each item')).toEqual([
      'Cold Brew 1 Redeemed now',
      'Cold Brew 2 Already redeemed at Great Hall, Nov 20, 7:59 PM',
    ]);
  });

  it('shows nothing as redeemed if the server redeemed nothing', async () => {
    backend.answer('scannerRedeem', () => ({
      redeemed_count: 0,
      results: redemptionOf(1, 2).results.map((one) => ({ ...one, outcome: 'inactive' as const })),
    }));
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    expect(verdict()).toEqual({ tone: 'bad', text: 'Not redeemedDo not hand anything out.' });
    expect(playScanFeedback).toHaveBeenCalledWith('refused');
    expect(playScanFeedback).not.toHaveBeenCalledWith('success');
  });

  it('is ready for the next guest with one tap, or with Enter', async () => {
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next scan' }));
    await user.keyboard('{Enter}');
    await pass();
    expect(camera.isPaused).toBe(false);
    await show('another code');
    expect(backend.calls('scannerScan').at(-1)?.body.payload).toBe('another code');
  });
});

const REFUSALS: readonly [ErrorCode, string, string][] = [
  ['unreadable_code', 'Not one of our codes', 'choose Redeem, and scan that code'],
  ['wrong_code_kind', 'Nothing to redeem in this code', 'This is an account code'],
  ['invalid_signature', 'Not a genuine code', 'It was not issued by us'],
  ['code_expired', 'This code has run out', 'A code counts for 30 seconds'],
  ['code_from_future', 'The time of this code is wrong', 'close the code and open it again'],
  ['code_replayed', 'Already scanned elsewhere', 'Another device or venue scanned this very code'],
  ['foreign_venue', 'You are not staff of this venue', 'Choose a venue of yours'],
  ['venue_required', 'No venue chosen', 'Choose where you are'],
  ['account_restricted', "This guest's account is restricted", 'contact support'],
  ['stopped', 'Redeeming is stopped for everybody', 'The programme has stopped this'],
  ['not_found', 'This code was not accepted', 'Nothing was redeemed'],
];

describe('a refused code', () => {
  it.each(REFUSALS)('explains %s with "%s", and says what to do', async (code, title, advice) => {
    backend.answer('scannerScan', () => problem(code));
    await openSignedIn();
    await show();
    expect(verdict()?.tone).toBe('bad');
    expect(headline()).toBe(title);
    expect(verdict()?.text).toContain(advice);
    expect(playScanFeedback).toHaveBeenCalledWith('refused');
    expect(screen.getByRole('button', { name: 'Next scan' })).toBeDefined();
  });

  it.each(REFUSALS)(
    'explains %s in the same way if it occurs while redeeming',
    async (code, title) => {
      backend.answer('scannerRedeem', () => problem(code));
      const user = await openSignedIn();
      await show();
      await press(user, 'Redeem all 2 items');
      expect(verdict()?.tone).toBe('bad');
      expect(headline()).toBe(title);
    },
  );

  it.each(['staff_revoked', 'forbidden'] as const)(
    'ends the session with a message if the server answers %s',
    async (code) => {
      backend.answer('scannerScan', () => problem(code));
      await openSignedIn();
      await show();
      expect(screen.getByText('No longer staff')).toBeDefined();
      expect(localStorage.getItem('scanner-jwt')).toBeNull();
      expect(backend.calls('logout')).toHaveLength(1);
    },
  );

  it('leads to the sign-in with an explanation when the session is over', async () => {
    backend.answer('scannerScan', () => problem('session_ended'));
    await openSignedIn();
    await show();
    expect(screen.getByText('You were signed out')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
  });

  it('offers another venue if the venue was wrong', async () => {
    backend.answer('scannerVenues', () => ({ venues: [BAR, HALL] }));
    backend.answer('scannerScan', () => problem('foreign_venue'));
    localStorage.setItem(`scanner-venue:${STAFF_UUID}`, JSON.stringify(BAR));
    const user = await openSignedIn();
    await show();
    await user.click(screen.getByRole('link', { name: 'Choose venue' }));
    await pass();
    await press(user, /Great Hall/);
    backend.answer('scannerScan', () => purchaseScan(scannedItem(1)));
    await show();
    expect(backend.calls('scannerScan').at(-1)?.body.venue_id).toBe(HALL.id);
  });
});

describe('a slow or lost network', () => {
  it('says that it is slow, and lets staff cancel the request', async () => {
    backend.answer('scannerScan', silence);
    const user = await openSignedIn();
    await show();
    expect(screen.queryByText('The network is slow. Still asking…')).toBeNull();
    await pass(3000);
    expect(screen.getByText('The network is slow. Still asking…')).toBeDefined();
    await press(user, 'Back to the camera');
    expect(camera.isPaused).toBe(false);
  });

  it('requests a code’s content three times, then says that there was no response', async () => {
    backend.answer('scannerScan', networkFailure);
    const user = await openSignedIn();
    await show();
    await pass(1400);
    expect(backend.calls('scannerScan')).toHaveLength(3);
    expect(headline()).toBe('No answer from the server');
    expect(verdict()?.tone).toBe('open');
    backend.answer('scannerScan', () => purchaseScan(scannedItem(1)));
    await press(user, 'Try again');
    expect(rows('Items in this code')).toEqual(['Cold Brew 1 Ready to redeem']);
  });

  it('asks for a code’s content again by itself while the code can be valid, and beeps once', async () => {
    backend.answer('scannerScan', networkFailure);
    await openSignedIn();
    await show();
    await pass(1400);
    expect(screen.getByText('It is asked again by itself.')).toBeDefined();
    await pass(60_000);
    const askedCount = backend.calls('scannerScan').length;
    // At least six rounds of three attempts fit into the 30 s of a code.
    expect(askedCount).toBeGreaterThanOrEqual(18);
    expect(screen.queryByText('It is asked again by itself.')).toBeNull();
    await pass(60_000);
    expect(backend.calls('scannerScan')).toHaveLength(askedCount);
    expect(vi.mocked(playScanFeedback).mock.calls).toEqual([['refused']]);
  });

  it('never shows success before the server confirms it, and retries with the same key', async () => {
    backend.answer('scannerRedeem', silence);
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    expect(verdict()).toBeNull();
    // The client's own retry after its 10 s, and the timeout of that retry.
    await pass(11_000);
    await pass(10_000);
    expect(headline()).toBe('Not known yet');
    expect(verdict()?.text).toContain('Do not hand anything out yet.');
    expect(playScanFeedback).not.toHaveBeenCalled();

    backend.answer('scannerRedeem', ({ body }) => redemptionOf(...(body.item_ids ?? [])));
    await pass(4000);
    expect(verdict()).toEqual({ tone: 'good', text: '2 items redeemed' });
    const keys = backend
      .calls('scannerRedeem')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('retries with the same key after a reload', async () => {
    backend.answer('scannerRedeem', () => problem('try_again'));
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    await pass(1000);
    expect(headline()).toBe('Not known yet');
    closeApp();
    backend.answer('scannerRedeem', ({ body }) => redemptionOf(...(body.item_ids ?? [])));
    await openSignedIn();
    expect(verdict()).toEqual({ tone: 'good', text: '2 items redeemed' });
    const keys = backend
      .calls('scannerRedeem')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    closeApp();
    await openSignedIn();
    expect(backend.calls('scannerRedeem')).toHaveLength(keys.length);
  });

  it('leaves what another window is waiting for to that window', async () => {
    backend.answer('scannerRedeem', () => problem('try_again'));
    const user = await openSignedIn();
    await show();
    const waiting = {
      payload: 'of another guest',
      venueId: BAR.id,
      venueName: BAR.name,
      itemIds: [9],
      key: crypto.randomUUID(),
      userUuid: STAFF_UUID,
      confirmedAtMs: Date.now(),
    };
    localStorage.setItem(`scanner-redeem-intent:${STAFF_UUID}`, JSON.stringify([waiting]));
    await press(user, 'Redeem all 2 items');
    await pass(1000);
    const [asked] = backend.calls('scannerRedeem');
    expect(asked?.body).toEqual({ payload: CODE, venue_id: BAR.id, item_ids: [1, 2] });
    await press(user, 'Leave it and scan on');

    // The other window is reloaded and sends its own request.
    closeApp();
    backend.answer('scannerRedeem', ({ body }) => redemptionOf(...(body.item_ids ?? [])));
    await openSignedIn();
    const last = backend.calls('scannerRedeem').at(-1);
    expect(last?.body).toMatchObject({ payload: waiting.payload, item_ids: [9] });
    expect(last?.headers.get('idempotency-key')).toBe(waiting.key);
    expect(headline()).toBe('1 item redeemed');
  });

  it('retries at once when the connection is back', async () => {
    const user = await openSignedIn();
    await show();
    backend.setOnline(false);
    await press(user, 'Redeem all 2 items');
    await pass(1000);
    expect(headline()).toBe('Not known yet');
    expect(screen.getByText(/Nothing can be redeemed until it is back/)).toBeDefined();
    backend.setOnline(true);
    await pass(3000);
    expect(verdict()).toEqual({ tone: 'good', text: '2 items redeemed' });
    expect(screen.queryByText(/Nothing can be redeemed until it is back/)).toBeNull();
  });

  it('can be set aside, and the next redemption has a new key', async () => {
    backend.answer('scannerRedeem', () => problem('internal_error'));
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    await pass(1000);
    await press(user, 'Leave it and scan on');
    await pass(30_000);
    const askedCount = backend.calls('scannerRedeem').length;
    await show();
    await press(user, 'Redeem all 2 items');
    const keys = backend
      .calls('scannerRedeem')
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys.slice(0, askedCount)).size).toBe(1);
    expect(keys[askedCount]).not.toBe(keys[0]);
  });

  it('disables redeeming with a reason while there is no connection', async () => {
    await openSignedIn();
    await show();
    await act(async () => void dispatchEvent(new Event('offline')));
    expect(screen.getByText('No connection. It goes on as soon as it is back.')).toBeDefined();
    const isDisabled = () =>
      screen.getByRole<HTMLButtonElement>('button', { name: 'Redeem all 2 items' }).disabled;
    expect(isDisabled()).toBe(true);
    await pass(3000);
    expect(isDisabled()).toBe(false);
  });
});

describe('recent scans', () => {
  it('are listed for this device, newest first, even after a reload', async () => {
    const user = await openSignedIn();
    await show();
    await press(user, 'Redeem all 2 items');
    await press(user, 'Next scan');
    backend.answer('scannerScan', () => problem('code_expired'));
    await pass(1000);
    await show();
    closeApp();
    await openSignedIn('/scanner/today');
    const lines = rows('Scans of today');
    expect(lines[0]).toMatch(/^This code has run out/);
    expect(lines[1]).toMatch(/^2 items redeemedCold Brew 1, Cold Brew 2Harbour Bar, /);
  });

  it('name equal items once, with their count', async () => {
    backend.answer('scannerScan', () =>
      purchaseScan(
        scannedItem(1, { title: 'Tonic' }),
        scannedItem(2),
        scannedItem(3, { title: 'Tonic' }),
      ),
    );
    const user = await openSignedIn();
    await show();
    await press(user, 'Back to the camera');
    closeApp();
    await openSignedIn('/scanner/today');
    expect(rows('Scans of today')[0]).toContain('2 × Tonic, Cold Brew 2');
  });

  it('are counted for this device as they are listed, without those of another day', async () => {
    const scan = { venueName: BAR.name, titles: [], redeemedCount: 0 };
    const yesterday = { ...scan, id: 'old', atMs: Date.now() - 86_400_000 };
    localStorage.setItem(
      `scanner-recent:${STAFF_UUID}`,
      JSON.stringify([
        { ...scan, id: 'b', atMs: Date.now(), outcome: 'refused', code: 'code_expired' },
        { ...scan, id: 'a', atMs: Date.now(), outcome: 'redeemed', redeemedCount: 3 },
        { ...yesterday, outcome: 'redeemed', redeemedCount: 40 },
      ]),
    );
    await openSignedIn('/scanner/today');
    expect(screen.getByLabelText('Counts of today').textContent).toBe(
      'Items redeemed3Scans2Refused1',
    );
    expect(rows('Scans of today')).toHaveLength(2);
  });

  it('are counted by the server from midnight in the device’s time zone', async () => {
    backend.answer('scannerScans', () => ({
      scans: [],
      counts: { scans: 31, redeemed_items: 42, refused: 3 },
    }));
    const user = await openSignedIn('/scanner/today');
    await press(user, 'My account');
    const counts = screen.getByLabelText('Counts of today');
    expect(counts.textContent).toBe('Items redeemed42Scans31Refused3');
    const since = backend.calls('scannerScans')[0]?.query.get('since') ?? '';
    expect(new Date(since).getHours()).toBe(0);
    expect(Date.now() - Date.parse(since)).toBeLessThan(86_400_000);
  });

  it('are listed for the whole account by the server', async () => {
    const scan = {
      id: 9,
      at: new Date().toISOString(),
      action: 'scan' as const,
      outcome: 'code_replayed' as const,
      venue: HALL.name,
      item_count: 0,
      redeemed_count: 0,
      titles: [],
    };
    backend.answer('scannerScans', () => ({
      scans: [scan],
      counts: { scans: 1, redeemed_items: 0, refused: 1 },
    }));
    const user = await openSignedIn('/scanner/today');
    await press(user, 'My account');
    expect(rows('Scans of today')[0]).toMatch(/^Already scanned elsewhereGreat Hall, /);
  });
});

it('stores its token separately from the wallet’s', async () => {
  localStorage.setItem('jwt', fakeToken('0192aaaa-0000-7000-8000-000000000001'));
  const user = await openSignedIn('/scanner/today');
  await press(user, 'Sign out');
  expect(localStorage.getItem('scanner-jwt')).toBeNull();
  expect(localStorage.getItem('jwt')).not.toBeNull();
});
