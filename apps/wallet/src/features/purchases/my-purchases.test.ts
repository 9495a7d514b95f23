// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problem, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { walletAnswers } from '@athos/testing/answers';
import {
  BOUGHT_AT,
  liveStream,
  REDEEMED_AT,
  wireItem,
  type WireItem,
} from '@athos/testing/samples/purchases';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import {
  currentAddress,
  currentQuery,
  endTest,
  openAt,
  passLoading,
} from '../../../test/signed-in.tsx';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const EVENT = 1;
const DISCOUNT = 2;

const answerItems = (purchases: WireItem[]): void =>
  backend.answer('myPurchases', () => ({ purchases }));

/** Two tickets and a product of purchase 5, with one ticket redeemed, and an older, fully redeemed purchase. */
const MIXED = [
  wireItem(11, 5, { offer: { kind: EVENT, title: '**Gala** Night' } }),
  wireItem(12, 5, { offer: { kind: EVENT, title: '**Gala** Night' } }),
  wireItem(13, 5, { offer: { kind: DISCOUNT, title: 'Half price' } }),
  wireItem(14, 5, { redeemedAt: REDEEMED_AT, venue: 'Sky Bar', offer: { kind: EVENT } }),
  wireItem(9, 4, { redeemedAt: REDEEMED_AT }),
];

const section = (name: string) => within(screen.getByRole('region', { name }));
const groupsOf = (name: string): string[] =>
  section(name)
    .getAllByRole('article')
    .map((card) => within(card).getByRole('heading').textContent.replaceAll(/\s+/g, ' ').trim());

describe('/app/my-purchases', () => {
  it('[S2-062] is titled My Purchases', async () => {
    await openAt('/app/my-purchases');
    expect(screen.getByRole('heading', { level: 1, name: 'My Purchases' })).toBeDefined();
  });

  it('[S2-063] leads back to /app', async () => {
    const user = await openAt('/app/my-purchases');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S2-110] [S2-111] waits for the first purchase and leads to the shop with Start Shopping', async () => {
    const user = await openAt('/app/my-purchases');
    expect(screen.getByText("We're waiting on your first purchase!")).toBeDefined();
    await user.click(screen.getByRole('link', { name: 'Start Shopping' }));
    expect(currentAddress()).toBe('/app');
  });

  it('[S2-064] [S4-032] fetches the list on every entry, and shows the known one until then', async () => {
    answerItems([wireItem(11, 5)]);
    const user = await openAt('/app/my-purchases');
    expect(backend.calls('myPurchases')).toHaveLength(1);
    await user.click(screen.getByRole('link', { name: 'Redeem purchase as a group' }));
    await pass();
    // The screen in between makes no request.
    expect(backend.calls('myPurchases')).toHaveLength(1);
    backend.answer('myPurchases', silence);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await pass();
    expect(currentAddress()).toBe('/app/my-purchases');
    expect(backend.calls('myPurchases')).toHaveLength(2);
    expect(groupsOf('Redeemable')).toHaveLength(1);
  });

  it('shows a skeleton while the list loads', async () => {
    backend.answer('myPurchases', silence);
    await openAt('/app/my-purchases');
    expect(screen.getByRole('status', { name: 'Loading your purchases' })).toBeDefined();
  });

  it('[S7-025] [D-135] says No response for an empty body, and not that there are no purchases', async () => {
    backend.answer('myPurchases', () => new Response('', { status: 200 }));
    const user = await openAt('/app/my-purchases');
    expect(screen.getByRole('alert').textContent).toContain('No response');
    expect(screen.queryByText("We're waiting on your first purchase!")).toBeNull();
    answerItems([]);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText("We're waiting on your first purchase!")).toBeDefined();
  });

  it('says that the list could not be loaded', async () => {
    backend.answer('myPurchases', () => problem('forbidden'));
    await openAt('/app/my-purchases');
    expect(screen.getByRole('alert').textContent).toContain('Your purchases could not be loaded.');
  });
});

describe('sections', () => {
  it('[S2-112] [S2-113] [S2-114] [S2-115] [S2-118] contain the unredeemed and the redeemed items, each with a summary', async () => {
    answerItems(MIXED);
    await openAt('/app/my-purchases');
    expect(groupsOf('Redeemable')).toEqual([
      '2 × Gala Night, Half price 33 items Nov 20, 2026 at 2:05 PM Unredeemed: 2 tickets and 1 product',
    ]);
    expect(groupsOf('Redeemed')).toEqual([
      'Drink 14 Nov 20, 2026 at 2:05 PM Redeemed: 1 ticket',
      'Drink 9 Nov 20, 2026 at 2:05 PM Redeemed: 1 product',
    ]);
  });

  it('leaves out an empty section', async () => {
    answerItems([wireItem(11, 5)]);
    await openAt('/app/my-purchases');
    expect(screen.queryByRole('region', { name: 'Redeemed' })).toBeNull();
  });

  it('[S2-116] shows date and time of the purchase', async () => {
    answerItems([{ ...wireItem(11, 5), purchase_date: BOUGHT_AT }]);
    await openAt('/app/my-purchases');
    expect(screen.getByText('Nov 20, 2026 at 2:05 PM')).toBeDefined();
  });

  it('[S2-117] shows a count badge only on a group of more than one item', async () => {
    answerItems([wireItem(1, 5), wireItem(2, 5), wireItem(3, 6)]);
    await openAt('/app/my-purchases');
    const [two, one] = section('Redeemable').getAllByRole('article');
    expect(within(two as HTMLElement).getByText('2 items')).toBeDefined();
    expect(within(one as HTMLElement).queryByText(/items?$/)).toBeNull();
  });

  it('[S2-119] expand and collapse a group', async () => {
    answerItems([wireItem(11, 5), wireItem(12, 5)]);
    const user = await openAt('/app/my-purchases');
    const head = screen.getByRole('button', { name: /^Drink 11, Drink 12/ });
    expect(head.getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('button', { name: 'Drink 12' })).toBeNull();
    await user.click(head);
    expect(head.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('button', { name: 'Drink 12' })).toBeDefined();
    await user.click(head);
    expect(screen.queryByRole('button', { name: 'Drink 12' })).toBeNull();
  });

  it('[S2-120] lead with Redeem purchase as a group to its code', async () => {
    answerItems([wireItem(11, 5)]);
    const user = await openAt('/app/my-purchases');
    await user.click(screen.getByRole('link', { name: 'Redeem purchase as a group' }));
    expect(currentAddress() + currentQuery()).toBe('/app/my-purchases/5/redeem');
  });

  it('[S4-042] do not offer to redeem inactive items, and say why', async () => {
    answerItems([wireItem(11, 5, { offer: { active: false } })]);
    await openAt('/app/my-purchases');
    const button = screen.getByRole('button', { name: 'Redeem purchase as a group' });
    expect(button).toHaveProperty('disabled', true);
    expect(screen.getByText('Nothing of this can be redeemed at the moment.')).toBeDefined();
  });

  it('render only those of two thousand purchases that are near the viewport', async () => {
    answerItems(Array.from({ length: 2000 }, (_, index) => wireItem(index + 1, index + 1)));
    await openAt('/app/my-purchases');
    const drawn = section('Redeemable').getAllByRole('article').length;
    expect(drawn).toBeGreaterThan(3);
    expect(drawn).toBeLessThan(40);
  });
});

describe('purchase preview modal', () => {
  async function preview(item: WireItem) {
    answerItems([item]);
    const user = await openAt('/app/my-purchases');
    await user.click(screen.getByRole('button', { expanded: false }));
    await user.click(
      within(within(screen.getByRole('article')).getByRole('list')).getByRole('button'),
    );
    await passLoading();
    return { user, modal: within(screen.getByRole('dialog')) };
  }

  it('[S2-121] [S2-122] [S2-123] opens with title, note and purchase time when an item is expanded', async () => {
    const { modal } = await preview(wireItem(11, 5, { offer: { title: '**Gala** Night' } }));
    expect(modal.getByRole('heading', { name: 'Gala Night' })).toBeDefined();
    expect(modal.getByText('cold').tagName).toBe('STRONG');
    expect(modal.getByText('Purchased Nov 20, 2026 at 2:05 PM')).toBeDefined();
  });

  it('[S2-124] shows no redemption for an unredeemed item', async () => {
    const { modal } = await preview(wireItem(11, 5));
    expect(modal.queryByText(/^Redeemed/)).toBeNull();
  });

  it('[S2-124] [S4-042] shows when and where an item was redeemed, and does not offer to redeem it', async () => {
    const { modal } = await preview(wireItem(11, 5, { redeemedAt: REDEEMED_AT, venue: 'Sky Bar' }));
    expect(modal.getByText('Redeemed Nov 21, 2026 at 6:30 PM')).toBeDefined();
    expect(modal.getByText('At Sky Bar')).toBeDefined();
    expect(modal.queryByText('Redeem')).toBeNull();
  });

  it('[S2-125] leads with Redeem to the code of this one item', async () => {
    const { user, modal } = await preview(wireItem(11, 5));
    await user.click(modal.getByRole('link', { name: 'Redeem' }));
    expect(currentAddress() + currentQuery()).toBe('/app/my-purchases/5/redeem?itemId=11');
  });

  it('[S2-126] [S4-042] disables Redeem while the offer is not active, and says why', async () => {
    const { modal } = await preview(wireItem(11, 5, { offer: { active: false } }));
    expect(modal.getByRole('button', { name: 'Redeem' })).toHaveProperty('disabled', true);
    expect(modal.getByText('This offer cannot be redeemed at the moment.')).toBeDefined();
  });

  it('[S2-127] shows Item not found if the item no longer exists', async () => {
    const stream = liveStream();
    backend.answer('events', stream.answer);
    answerItems([wireItem(11, 5)]);
    const user = await openAt('/app/my-purchases', { live: true });
    await user.click(screen.getByRole('button', { expanded: false }));
    await user.click(screen.getByRole('button', { name: 'Drink 11' }));
    await passLoading();
    answerItems([]);
    stream.tell({ type: 'redeemed', items: [] });
    await pass();
    expect(within(screen.getByRole('dialog')).getByText('Item not found')).toBeDefined();
  });
});

describe('a redemption', () => {
  it('[S4-041] [S7-035] moves the item to Redeemed and fetches the balance again', async () => {
    const stream = liveStream();
    backend.answer('events', stream.answer);
    answerItems([wireItem(11, 5), wireItem(12, 5)]);
    await openAt('/app/my-purchases', { live: true });
    const balanceCount = backend.calls('balance').length;
    backend.answer('myPurchases', silence);
    stream.tell({
      type: 'redeemed',
      items: [{ id: 11, purchase_id: 5, redeemed_at: REDEEMED_AT, venue: 'Sky Bar' }],
    });
    await pass();
    expect(groupsOf('Redeemable')[0]).toMatch(/^Drink 12 .* Unredeemed: 1 product$/);
    expect(groupsOf('Redeemed')[0]).toMatch(/^Drink 11 .* Redeemed: 1 product$/);
    expect(backend.calls('balance')).toHaveLength(balanceCount + 1);
  });
});
