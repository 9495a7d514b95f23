// @vitest-environment jsdom
/**
 * The storage format in which release 412b930 keeps an action with an unknown outcome. A user in the middle of one must not pay twice after
 * an update, so the new version sends the same request with the same key.
 */
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import type { Outcome } from '@athos/client/outcome';
import { microAth, parseRate, type MicroAth } from '@athos/domain/money';
import { afterEach, expect, it } from 'vitest';
import { cardOrderOf, closeCardOrders, quoteOf } from './card-order.ts';
import type { CartItem } from './cart-item.ts';
import { cartPurchaseOf, closeCartPurchases, type Bought } from './cart-purchase.ts';
import { cartOf, closeCarts } from './cart.ts';
import { closeRewardClaims, rewardClaimOf } from './reward-claim.ts';
import { closeSendDrafts, sendDraftOf } from './send-draft.ts';
import { closeTipDrafts, tipDraftOf } from './tip-draft.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
const KEY = '0192cccc-0000-7000-8000-000000000003';

afterEach(() => {
  closeSendDrafts();
  closeTipDrafts();
  closeCartPurchases();
  closeCarts();
  closeRewardClaims();
  closeCardOrders();
  localStorage.clear();
  sessionStorage.clear();
});

const store = (name: string, value: unknown): void =>
  localStorage.setItem(name, JSON.stringify(value));

type Call<Content, Data> = (intent: ConfirmedIntent<Content>) => Promise<Outcome<Data>>;

/** Returns the request that is sent when the user confirms. */
async function askedBy<Content, Data>(
  confirm: (call: Call<Content, Data>) => Promise<unknown>,
): Promise<ConfirmedIntent<Content> | undefined> {
  let asked: ConfirmedIntent<Content> | undefined;
  await confirm((intent) => {
    asked = intent;
    return Promise.resolve({ status: 'offline' });
  });
  return asked;
}

it('[D-038] resumes a send', async () => {
  const draft = {
    asset: 'ATH',
    paymentAmount: '12.5',
    sendAll: false,
    usd: '210',
    name: 'Bo',
    address: RECEIVER,
    active: true,
  };
  store(`send-draft:${OWNER}`, { ...draft, key: KEY });
  expect(sendDraftOf(OWNER).intent.get()).toEqual({ status: 'unknown', content: draft });
  const asked = await askedBy(sendDraftOf(OWNER).submit);
  expect(asked).toEqual({ key: KEY, content: draft, isRepeat: true });
});

it('[D-038] resumes a tip', async () => {
  const draft = { amount: '2.5', from: 'Ada', note: 'Great night' };
  store(`tip-draft:${OWNER}:1`, { ...draft, key: KEY, isOpen: true });
  expect(tipDraftOf(OWNER, 1).intent.get()).toEqual({ status: 'unknown', content: draft });
  const asked = await askedBy(tipDraftOf(OWNER, 1).submit);
  expect(asked).toEqual({ key: KEY, content: draft, isRepeat: true });
});

it('[D-038] resumes a cart', async () => {
  const items = [
    {
      offer: {
        id: 1,
        categoryId: 7,
        title: 'Offer 1',
        image: { sources: [], src: '' },
        price: 1250,
        sale: { isActive: true, stockLeft: null, saleStartsAtMs: null, saleEndsAtMs: null },
        userCountMax: null,
        tierIdMin: null,
      },
      count: 2,
      priceWhenAdded: 1250,
    },
  ];
  store(`cart:${OWNER}`, { items: [], intent: { key: KEY, items, isOpen: true } });
  expect(cartPurchaseOf(OWNER).get()).toEqual({ status: 'unknown', content: items });
  const asked = await askedBy<readonly CartItem[], Bought>((call) =>
    cartPurchaseOf(OWNER).ask(cartOf(OWNER).get().items, call),
  );
  expect(asked).toEqual({ key: KEY, content: items, isRepeat: true });
});

it('[D-038] resumes a reward code, for which only the key was stored', async () => {
  const code = '7K4TDS213SB55QDT';
  store(`reward-keys:${OWNER}`, [
    [code, KEY],
    ['V4KF31SW5EKHZCRP', RECEIVER],
  ]);
  const asked = await askedBy<string, MicroAth>((call) =>
    rewardClaimOf(OWNER, code).ask(code, call),
  );
  expect(asked).toEqual({ key: KEY, content: code, isRepeat: true });
});

it('[D-038] resumes a card order whose card may have been charged', () => {
  store(`order:${OWNER}`, {
    paymentOperation: 'card',
    paymentAmount: '59.42',
    paymentType: 'card',
    usd: '1000',
    sendAll: false,
    usdPerAth: '0.1683',
    key: KEY,
    paymentId: 'p-1',
    isCharging: true,
  });
  expect(cardOrderOf(OWNER).get()).toEqual({
    paymentAmount: '59.42',
    usdPerAth: '0.1683',
    key: KEY,
    paymentId: 'p-1',
    isCharging: true,
  });
  const rate = parseRate('0.2');
  if (rate === undefined) throw new Error('not a rate');
  // The earlier charge takes precedence over whatever the preview shows now.
  const asked = cardOrderOf(OWNER).confirm(quoteOf(microAth(7_000_000n), rate));
  expect(asked).toMatchObject({
    key: KEY,
    content: { amountMicroAth: 59_420_000n },
    isRepeat: true,
  });
});
