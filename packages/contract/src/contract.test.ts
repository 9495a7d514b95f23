import { describe, expect, it } from 'vitest';
import { api } from './api.ts';
import { API_PREFIX, routes, type RouteName } from './routes.ts';
import {
  CATEGORY_DISPLAY_TYPES,
  OFFER_DISPLAY_TYPES,
  OFFER_KINDS,
  category,
  offer,
} from './schemas/catalog.ts';
import { historyItem } from './schemas/history.ts';

const anOffer = {
  id: 1,
  category_id: 2,
  title: 't',
  note: 'n',
  img: '/i',
  amount_cents: 100,
  kind: 0,
  display_type: 'standard',
  active: true,
  picture: null,
  stock_left: null,
  sale_starts_at: null,
  sale_ends_at: null,
  user_count_max: null,
  tier_id_min: null,
};
const aCategory = {
  id: 1,
  parent_id: null,
  title: 't',
  description: 'd',
  banner_url: '/b',
  picture: null,
  position: 1,
  display_type: 'row',
  categories: [],
  offers: [],
};

describe('the contract', () => {
  it('[D-026] has one answer schema for every route, and a body schema for every POST that takes one', () => {
    const names = Object.keys(routes) as RouteName[];
    expect(Object.keys(api).toSorted()).toEqual(names.toSorted());
    for (const name of names) expect(api[name].answer, name).toBeDefined();
    const withoutBody = names.filter(
      (name) => routes[name].method !== 'GET' && !('body' in api[name]),
    );
    expect(withoutBody).toEqual(['logout', 'redeemReward']);
  });

  it('[D-035] marks every POST that moves value as one that takes a key', () => {
    const keyed = (Object.keys(routes) as RouteName[]).filter(
      (name) => 'keyed' in routes[name] && routes[name].method === 'POST',
    );
    expect(keyed).toEqual([
      'deleteAccount',
      'transfer',
      'tip',
      'createPaymentIntent',
      'purchase',
      'redeemReward',
      'scannerRedeem',
    ]);
    expect(API_PREFIX).toBe('/api');
  });

  it('[D-142] takes a key with account/update_password too', () => {
    expect(routes.updatePassword).toEqual({
      method: 'PUT',
      path: '/account/update_password',
      auth: 'user',
      keyed: true,
    });
  });

  it('[S1-028] numbers the offer kinds Product 0, Event 1, Discount 2 and Tip 3, and takes no other', () => {
    expect(OFFER_KINDS).toEqual({ Product: 0, Event: 1, Discount: 2, Tip: 3 });
    const accepted = [-1, 0, 1, 2, 3, 4, 1.5, '1', null].filter(
      (kind) => offer.safeParse({ ...anOffer, kind }).success,
    );
    expect(accepted).toEqual([0, 1, 2, 3]);
  });

  it('[S3-009] [S3-011] knows the display types row and standard, further ones, and no unknown one', () => {
    for (const display_type of CATEGORY_DISPLAY_TYPES)
      expect(category.safeParse({ ...aCategory, display_type }).success).toBe(true);
    for (const display_type of OFFER_DISPLAY_TYPES)
      expect(offer.safeParse({ ...anOffer, display_type }).success).toBe(true);
    expect(CATEGORY_DISPLAY_TYPES).toContain('row');
    expect(OFFER_DISPLAY_TYPES).toContain('standard');
    expect(category.safeParse({ ...aCategory, display_type: 'spiral' }).success).toBe(false);
    expect(offer.safeParse({ ...anOffer, display_type: 'spiral' }).success).toBe(false);
  });

  it('[S3-035] [D-006] carries token_amount, amount_paid, tx_fee, athos_fee and stripe_status in a Payment', () => {
    const data = {
      id: 1,
      date: '2026-11-21T12:00:00.000Z',
      token_amount: '59420000',
      amount_paid: 1110,
      tx_fee: 60,
      athos_fee: 50,
      stripe_status: 1,
    };
    expect(historyItem.parse({ type: 'Payment', data })).toEqual({ type: 'Payment', data });
    for (const field of Object.keys(data)) {
      expect(
        historyItem.safeParse({ type: 'Payment', data: { ...data, [field]: undefined } }).success,
        field,
      ).toBe(false);
    }
  });

  it('[S3-032] [S3-037] knows exactly five history types, a Purchase with its offer', () => {
    const data = {
      id: 1,
      date: '2026-11-21T12:00:00.000Z',
      purchase_date: '2026-11-21T12:00:00.000Z',
      offer_amount: 2500,
      offer_count: 2,
      offer: { kind: 1, title: 't', img: '/i', note: 'n' },
    };
    expect(historyItem.parse({ type: 'Purchase', data })).toEqual({ type: 'Purchase', data });
    const types = historyItem.options.map((option) => option.shape.type.value);
    expect(types.toSorted()).toEqual(['Payment', 'Purchase', 'Receive', 'Reward', 'Send']);
  });
});
