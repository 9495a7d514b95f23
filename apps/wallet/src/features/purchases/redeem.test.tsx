// @vitest-environment jsdom
import { parseSignedQr } from '@athos/domain/qr-payload';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { networkFailure, problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { liveStream, REDEEMED_AT, wireItem, type WireItem } from '@athos/testing/samples/purchases';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import {
  currentAddress,
  currentQuery,
  endTest,
  openAt,
  passLoading,
} from '../../../test/signed-in.tsx';
import { watchIdle } from '../../state/idle.ts';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string; hasLogo: boolean; colour?: string }) => (
    <img
      alt={props.label}
      data-value={props.value}
      data-logo={props.hasLogo}
      data-colour={props.colour}
    />
  ),
}));

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  answerItems([wireItem(11, 5), wireItem(12, 5), wireItem(13, 5), wireItem(21, 6)]);
});
afterEach(endTest);

const SCREEN = '/app/my-purchases/5/redeem';

const answerItems = (purchases: WireItem[]): void =>
  backend.answer('myPurchases', () => ({ purchases }));
const many = (count: number): WireItem[] =>
  Array.from({ length: count }, (_, index) => wireItem(index + 1, 5));

const codeImage = (): HTMLElement | null =>
  screen.queryByRole('img', { name: 'QR code to redeem your purchase' });
const shownCode = () => parseSignedQr(codeImage()?.dataset['value'] ?? '');
const box = (title: string) => screen.getByRole('checkbox', { name: title });
const heading = (): string =>
  screen.getByRole('heading', { level: 2 }).textContent.replaceAll(/\s+/g, ' ').trim();
const rows = () =>
  within(screen.getByRole('region', { name: /^Items being redeemed/ })).getAllByRole('listitem');

/** Opens the backend's live stream together with the session. */
async function openLive() {
  const stream = liveStream();
  backend.answer('events', stream.answer);
  const user = await openAt(SCREEN, { live: true });
  expect(backend.calls('events')).toHaveLength(1);
  const redeem = async (ids: readonly number[]): Promise<void> => {
    const items = ids.map((id) => ({
      id,
      purchase_id: 5,
      redeemed_at: REDEEMED_AT,
      venue: 'Sky Bar',
    }));
    stream.tell({ type: 'redeemed', items });
    await pass();
  };
  return { user, redeem };
}

describe('/app/my-purchases/{id}/redeem', () => {
  it('[S1-018] [S2-065] [S2-129] is titled Redeem Purchase and says what the code is for', async () => {
    await openAt(SCREEN);
    expect(screen.getByRole('heading', { level: 1, name: 'Redeem Purchase' })).toBeDefined();
    expect(
      screen.getByText('Present this QR code to an authorized Scanner to redeem your purchase'),
    ).toBeDefined();
    expect(codeImage()).not.toBeNull();
  });

  it('[S2-066] leads back to /app/my-purchases', async () => {
    const user = await openAt(SCREEN);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/my-purchases');
  });

  it('[S4-032] fetches the purchases if they are not loaded yet', async () => {
    await openAt(SCREEN);
    expect(backend.calls('myPurchases')).toHaveLength(1);
  });

  it('shows a skeleton while they load', async () => {
    backend.answer('myPurchases', silence);
    await openAt(SCREEN);
    expect(screen.getByRole('status', { name: 'Loading your purchases' })).toBeDefined();
    expect(screen.queryByText('Purchase not found')).toBeNull();
  });

  it.each([
    '/app/my-purchases/7/redeem',
    '/app/my-purchases/five/redeem',
    '/app/my-purchases/5/redeem?itemId=21',
    '/app/my-purchases/5/redeem?itemId=x',
  ])('[S2-135] shows Purchase not found at %s, and leads back with Go back', async (address) => {
    const user = await openAt(address);
    expect(screen.getByText('Purchase not found')).toBeDefined();
    expect(codeImage()).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Go back' }));
    expect(currentAddress()).toBe('/app/my-purchases');
  });

  it('says that the purchases could not be loaded, and can try again', async () => {
    backend.answer('myPurchases', () => problem('forbidden'));
    const user = await openAt(SCREEN);
    expect(screen.getByRole('alert').textContent).toContain('Your purchases could not be loaded.');
    answerItems([wireItem(11, 5)]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(shownCode()?.d.i).toEqual([11]);
  });
});

describe('items', () => {
  it('[S2-131] are listed with image and title', async () => {
    await openAt(SCREEN);
    expect(rows().map((row) => within(row).getByText(/^Drink/).textContent)).toEqual([
      'Drink 11',
      'Drink 12',
      'Drink 13',
    ]);
    expect(rows()[0]?.querySelector('img')?.getAttribute('src')).toBe('/art/11.webp');
  });

  it('[S2-132] [S2-134] have a checkbox until they are redeemed, and then the time of it', async () => {
    answerItems([wireItem(11, 5), wireItem(12, 5, { redeemedAt: REDEEMED_AT })]);
    await openAt(SCREEN);
    expect(screen.getAllByRole('checkbox')).toHaveLength(1);
    const [open, redeemed] = rows();
    expect(within(open as HTMLElement).queryByText(/^Redeemed/)).toBeNull();
    expect(
      within(redeemed as HTMLElement).getByText('Redeemed Nov 21, 2026 at 6:30 PM'),
    ).toBeDefined();
    expect(shownCode()?.d.i).toEqual([11]);
  });

  it('[S2-133] each have a details button that opens the preview', async () => {
    const user = await openAt(SCREEN);
    expect(screen.getAllByRole('button', { name: /^Details of Drink/ })).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Details of Drink 12' }));
    await passLoading();
    const modal = within(screen.getByRole('dialog'));
    expect(modal.getByText('Purchased Nov 20, 2026 at 2:05 PM')).toBeDefined();
  });

  it('[S2-130] [S4-043] are all selected at first, and counted', async () => {
    const user = await openAt(SCREEN);
    expect(heading()).toBe('Items being redeemed (x3)');
    expect(shownCode()?.d.i).toEqual([11, 12, 13]);
    await user.click(box('Drink 12'));
    expect(heading()).toBe('Items being redeemed (x2)');
  });

  it('[S2-130] of one kind share a row, with a stepper for how many are in the code', async () => {
    const offer = { title: 'Amber Fizz', img: '/art/1.webp' };
    answerItems([
      ...many(20).map((item) => wireItem(item.id, 5, { offer })),
      wireItem(21, 5, { offer, redeemedAt: REDEEMED_AT }),
    ]);
    const user = await openAt(SCREEN);
    expect(rows()).toHaveLength(2);
    expect(heading()).toBe('Items being redeemed (x20)');
    const howMany = within(screen.getByRole('group', { name: 'How many of Amber Fizz' }));
    await user.click(howMany.getByRole('button', { name: 'Decrease quantity' }));
    await user.click(howMany.getByRole('button', { name: 'Decrease quantity' }));
    expect(heading()).toBe('Items being redeemed (x18)');
    await user.click(screen.getByRole('checkbox', { name: '20 × Amber Fizz' }));
    expect(heading()).toBe('Items being redeemed (none selected)');
    await user.click(howMany.getByRole('button', { name: 'Increase quantity' }));
    await pass();
    expect(shownCode()?.d.i).toEqual([1]);
  });

  it('[S2-067] are limited to one by itemId, with a link to the others', async () => {
    const user = await openAt(`${SCREEN}?itemId=12`);
    expect(rows()).toHaveLength(1);
    expect(shownCode()?.d.i).toEqual([12]);
    await user.click(screen.getByRole('link', { name: 'Show the whole purchase' }));
    await pass();
    expect(currentQuery()).toBe('');
    expect(shownCode()?.d.i).toEqual([11, 12, 13]);
  });

  it('[S4-042] of an inactive offer cannot be selected, and say why', async () => {
    answerItems([wireItem(11, 5), wireItem(12, 5, { offer: { active: false } })]);
    await openAt(SCREEN);
    expect(box('Drink 12 This offer cannot be redeemed at the moment.')).toHaveProperty(
      'disabled',
      true,
    );
    expect(shownCode()?.d.i).toEqual([11]);
  });
});

it('says that nothing is left of a purchase redeemed earlier, without a celebration', async () => {
  answerItems([wireItem(11, 5, { redeemedAt: REDEEMED_AT })]);
  await openAt(SCREEN);
  expect(screen.getByText('Everything here has been redeemed.')).toBeDefined();
  expect(screen.queryByText('Redeemed!')).toBeNull();
  expect(codeImage()).toBeNull();
  expect(heading()).toBe('Items being redeemed (none selected)');
});

describe('code', () => {
  it('[D-067] has the canonical text signed: t, then d with a, t, v and i', async () => {
    await openAt(SCREEN);
    expect(backend.calls('sign')[0]?.body.data.replace(/\d{13}/, 'TIME')).toBe(
      `{"t":"purchase","d":{"a":"${FAKE_UUID}","t":TIME,"v":1,"i":[11,12,13]}}`,
    );
    expect(shownCode()?.s).toBe('signed-by-the-server');
  });

  it('[D-178] takes its time from the server’s clock', async () => {
    backend.setClockOffset(-90_000);
    await openAt(SCREEN);
    await pass(10_000);
    expect(shownCode()?.d.t).toBeGreaterThan(Date.now() - 91_000);
    expect(shownCode()?.d.t).toBeLessThan(Date.now() - 89_000);
  });

  it('[S2-128] is renewed every 10 s while something is selected', async () => {
    const signatures = ['first', 'second', 'third'];
    backend.answer('sign', () => ({ signature: signatures.shift() ?? 'none' }));
    await openAt(SCREEN);
    await pass(9999);
    expect(shownCode()?.s).toBe('first');
    await pass(1);
    expect(shownCode()?.s).toBe('second');
    await pass(10_000);
    expect(shownCode()?.s).toBe('third');
  });

  it('[S7-032] is renewed at once when the selection changes, and the old one disappears', async () => {
    const user = await openAt(SCREEN);
    backend.answer('sign', silence);
    await user.click(box('Drink 12'));
    expect(codeImage()).toBeNull();
    expect(screen.getByRole('status', { name: 'Loading QR code' })).toBeDefined();
    backend.answer('sign', () => ({ signature: 'of-two' }));
    await user.click(box('Drink 12'));
    await user.click(box('Drink 13'));
    await pass();
    expect(shownCode()).toMatchObject({ d: { i: [11, 12] }, s: 'of-two' });
  });

  it('[S2-128] [S2-130] [D-158] is replaced by (none selected) if nothing is selected', async () => {
    const user = await openAt(SCREEN);
    for (const title of ['Drink 11', 'Drink 12', 'Drink 13']) await user.click(box(title));
    await pass();
    expect(codeImage()).toBeNull();
    expect(screen.getAllByText('(none selected)')).toHaveLength(2);
    expect(heading()).toBe('Items being redeemed (none selected)');
    const signCount = backend.calls('sign').length;
    await pass(30_000);
    expect(backend.calls('sign')).toHaveLength(signCount);
  });

  it.each([
    [10, 'true'],
    [11, 'false'],
  ])('of %i items has a logo: %s', async (count, hasLogo) => {
    answerItems(many(count));
    await openAt(SCREEN);
    expect(shownCode()?.d.i).toHaveLength(count);
    expect(codeImage()?.dataset['logo']).toBe(hasLogo);
  });

  it('[D-118] is black on white', async () => {
    await openAt(SCREEN);
    expect(codeImage()?.dataset['colour']).toBeUndefined();
  });

  it('[D-177] contains at most 40 items: the first 40, with the rest for a second code', async () => {
    answerItems(many(43));
    const user = await openAt(SCREEN);
    expect(shownCode()?.d.i).toEqual(many(40).map(({ id }) => id));
    expect(heading()).toBe('Items being redeemed (x40)');
    expect(screen.getByText('Redeem the rest in a second code')).toBeDefined();
    expect(box('Drink 43')).toHaveProperty('disabled', true);
    await user.click(box('Drink 7'));
    expect(screen.queryByText('Redeem the rest in a second code')).toBeNull();
    await user.click(box('Drink 43'));
    await pass();
    expect(shownCode()?.d.i).toHaveLength(40);
    expect(shownCode()?.d.i).toContain(43);
    expect(shownCode()?.d.i).not.toContain(7);
  });

  it('does not mention a second code if nothing is selected', async () => {
    await openAt(SCREEN);
    expect(screen.queryByText('Redeem the rest in a second code')).toBeNull();
  });
});

describe('a code that cannot be renewed', () => {
  it('stays until its 30 s are over, with a note that the next one is late, and is then removed', async () => {
    await openAt(SCREEN);
    backend.answer('sign', networkFailure);
    await pass(10_000);
    expect(codeImage()).not.toBeNull();
    expect(screen.getByText('A new code is on its way. This one still works.')).toBeDefined();
    await pass(19_000);
    expect(codeImage()).not.toBeNull();
    await pass(1000);
    expect(codeImage()).toBeNull();
    expect(screen.getByRole('alert').textContent).toContain(
      'No valid QR code can be made right now',
    );
  });

  it('is removed too while the request for the next one hangs', async () => {
    await openAt(SCREEN);
    backend.answer('sign', silence);
    await pass(30_000);
    expect(codeImage()).toBeNull();
  });

  it('returns automatically once the server responds again', async () => {
    await openAt(SCREEN);
    backend.answer('sign', networkFailure);
    await pass(30_000);
    backend.answer('sign', () => ({ signature: 'again' }));
    await pass(10_000);
    expect(shownCode()?.s).toBe('again');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is refused if an item was redeemed elsewhere: the list is fetched again and the rest gets a code', async () => {
    const user = await openAt(SCREEN);
    backend.answer('sign', ({ body }) =>
      /"i":\[11,/.test(body.data) ? problem('invalid_qr_payload') : { signature: 'rest' },
    );
    answerItems([
      wireItem(11, 5, { redeemedAt: REDEEMED_AT, venue: 'Sky Bar' }),
      wireItem(12, 5),
      wireItem(13, 5),
    ]);
    await pass(10_000);
    expect(screen.getByText('1 item redeemed at Sky Bar')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Redeem the rest' }));
    await pass();
    expect(shownCode()).toMatchObject({ d: { i: [12, 13] }, s: 'rest' });
  });
});

describe('a redemption', () => {
  it('[D-087] is shown at once on a live event', async () => {
    const { redeem } = await openLive();
    const pollCount = backend.calls('myPurchases').length;
    backend.answer('myPurchases', silence);
    await redeem([11, 12, 13]);
    expect(screen.getByText('Redeemed!')).toBeDefined();
    expect(screen.getByText('3 items redeemed at Sky Bar')).toBeDefined();
    expect(codeImage()).toBeNull();
    expect(screen.queryAllByRole('checkbox')).toHaveLength(0);
    expect(screen.getAllByText('Redeemed Nov 21, 2026 at 6:30 PM')).toHaveLength(3);
    // Fetched only after the live event.
    expect(backend.calls('myPurchases')).toHaveLength(pollCount + 1);
  });

  it('[S4-041] ends with a link back once everything is redeemed', async () => {
    const { user, redeem } = await openLive();
    backend.answer('myPurchases', silence);
    await redeem([11, 12, 13]);
    await pass(10_000);
    expect(screen.getByText('Redeemed!')).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Back to My Purchases' }));
    expect(currentAddress()).toBe('/app/my-purchases');
  });

  it('of a part stays until it is dismissed, then the code of the remaining selection returns', async () => {
    const { user, redeem } = await openLive();
    backend.answer('myPurchases', silence);
    await user.click(box('Drink 13'));
    await redeem([11]);
    expect(screen.getByText('1 item redeemed at Sky Bar')).toBeDefined();
    expect(heading()).toBe('Items being redeemed (x1)');
    await pass(120_000);
    expect(screen.getByText('Redeemed!')).toBeDefined();
    expect(codeImage()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Redeem the rest' }));
    await pass();
    expect(shownCode()?.d.i).toEqual([12]);
    expect(screen.queryByText('Redeemed!')).toBeNull();
  });

  it('of the whole selection leaves the other items alone until Redeem the rest is pressed', async () => {
    const { user, redeem } = await openLive();
    backend.answer('myPurchases', silence);
    await user.click(box('Drink 13'));
    await redeem([11, 12]);
    await pass(10_000);
    expect(codeImage()).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Redeem the rest' }));
    await pass();
    expect(shownCode()?.d.i).toEqual([13]);
  });

  it('is found by polling every 10 s if the stream is down', async () => {
    await openAt(SCREEN);
    answerItems([11, 12, 13].map((id) => wireItem(id, 5, { redeemedAt: REDEEMED_AT })));
    await pass(9999);
    expect(screen.queryByText('Redeemed!')).toBeNull();
    await pass(1);
    expect(screen.getByText('3 items redeemed')).toBeDefined();
    const pollCount = backend.calls('myPurchases').length;
    await pass(30_000);
    expect(backend.calls('myPurchases')).toHaveLength(pollCount);
  });

  it('of another purchase is not celebrated here', async () => {
    const { redeem } = await openLive();
    backend.answer('myPurchases', silence);
    await redeem([21]);
    expect(screen.queryByText('Redeemed!')).toBeNull();
  });
});

describe('a displayed code', () => {
  it('counts as activity until it is left', async () => {
    const user = await openAt(SCREEN);
    const onAway = vi.fn<() => void>();
    const stop = watchIdle(onAway);
    await pass(900_000);
    expect(onAway).not.toHaveBeenCalled();
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await pass(300_000);
    expect(onAway).toHaveBeenCalledOnce();
    stop();
  });
});
