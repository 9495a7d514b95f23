import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api, type CallName } from './api.ts';
import { API_PREFIX, type Call } from './call.ts';
import { ROUTE_FILES } from './gen-routes.ts';
import { scannerCalls } from './scanner/calls.ts';
import {
  CATEGORY_DISPLAY_TYPES,
  OFFER_DISPLAY_TYPES,
  OFFER_KINDS,
  category,
  offer,
} from './wallet/catalogue.ts';
import { historyItem } from './wallet/history.ts';
import { walletCalls } from './wallet/calls.ts';

const names = Object.keys(api) as CallName[];
const calls: readonly [string, Call][] = Object.entries(api);

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
  it('[D-026] defines every call once, with a response, and with a body unless its address says all', () => {
    const addresses = calls.map(([, { method, path }]) => `${method} ${path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const [name, { answer }] of calls) expect(answer, name).toBeDefined();
    const withoutBody = calls
      .filter(([, { method, body }]) => method !== 'GET' && body === undefined)
      .map(([name]) => name);
    expect(withoutBody.toSorted()).toEqual([
      'cancelPayment',
      'endOtherSessions',
      'endPayCode',
      'endReceiptShare',
      'endSession',
      'endTicketPhone',
      'logout',
      'passkeyOptions',
      'redeemReward',
      'stopRecovery',
      'undoHold',
    ]);
  });

  it('shares only the session calls between the two audiences', () => {
    const common = names.filter((name) => name in walletCalls && name in scannerCalls);
    expect(common).toEqual(['login', 'refreshJwt', 'logout']);
  });

  it('matches the committed route tables', () => {
    const folder = join(import.meta.dirname, 'gen');
    const committed = readdirSync(folder).map((name) => [
      name,
      readFileSync(join(folder, name), 'utf8'),
    ]);
    expect(Object.fromEntries(committed)).toEqual(ROUTE_FILES);
  });

  it('[D-035] requires a key for every POST that moves value', () => {
    const keyed = calls
      .filter(([, { method, keyed: isKeyed }]) => isKeyed === true && method === 'POST')
      .map(([name]) => name);
    expect(keyed.toSorted()).toEqual([
      'createPaymentIntent',
      'deleteAccount',
      'purchase',
      'redeemReward',
      'scannerRedeem',
      'tip',
      'transfer',
      'undoHold',
    ]);
    expect(API_PREFIX).toBe('/api');
  });

  it('[D-142] requires a key for account/update_password too', () => {
    expect(api.updatePassword).toMatchObject({
      method: 'PUT',
      path: '/account/update_password',
      auth: 'user',
      keyed: true,
    });
  });

  it('[S1-028] numbers the offer kinds Product 0, Event 1, Discount 2 and Tip 3, and rejects any other number', () => {
    expect(OFFER_KINDS).toEqual({ Product: 0, Event: 1, Discount: 2, Tip: 3 });
    const accepted = [-1, 0, 1, 2, 3, 4, 1.5, '1', null].filter(
      (kind) => offer.safeParse({ ...anOffer, kind }).success,
    );
    expect(accepted).toEqual([0, 1, 2, 3]);
  });

  it('[S3-009] [S3-011] accepts the display types row, standard and further ones, and rejects unknown ones', () => {
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

  it('[S3-032] [S3-037] has exactly five history types, and a Purchase includes its offer', () => {
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
