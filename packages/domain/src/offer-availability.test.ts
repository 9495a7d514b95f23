import { describe, expect, it } from 'vitest';
import { offerAvailability, type OfferSale } from './offer-availability.ts';

const open: OfferSale = {
  isActive: true,
  stockLeft: null,
  saleStartsAtMs: null,
  saleEndsAtMs: null,
};

describe('offerAvailability', () => {
  it.each<[string, Partial<OfferSale>, number, ReturnType<typeof offerAvailability>]>([
    ['without limits', {}, 0, 'on_sale'],
    ['withdrawn, whatever else', { isActive: false, stockLeft: 0 }, 0, 'inactive'],
    ['one ms before its start', { saleStartsAtMs: 100 }, 99, 'not_yet'],
    ['at its start', { saleStartsAtMs: 100 }, 100, 'on_sale'],
    ['one ms before its end', { saleEndsAtMs: 100 }, 99, 'on_sale'],
    ['at its end', { saleEndsAtMs: 100 }, 100, 'over'],
    ['over, also when sold out', { saleEndsAtMs: 100, stockLeft: 0 }, 100, 'over'],
    ['with one left', { stockLeft: 1 }, 0, 'on_sale'],
    ['with none left', { stockLeft: 0 }, 0, 'sold_out'],
  ])('%s', (_name, change, nowMs, expected) => {
    expect(offerAvailability({ ...open, ...change }, nowMs)).toBe(expected);
  });
});
