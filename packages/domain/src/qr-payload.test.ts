import { describe, expect, it } from 'vitest';
import {
  addressOfScan,
  canonicalQrText,
  parseQrContent,
  parseSignedQr,
  signedQrText,
  type QrContent,
} from './qr-payload.ts';

const UUID = '0b6e3c86-6f0e-4b52-9f5c-2b1b8f6f2a11';
const transfer: QrContent = { t: 'transfer', d: { a: UUID, t: 1_790_000_000_000, v: 1 } };
const purchase: QrContent = {
  t: 'purchase',
  d: { a: UUID, t: 1_790_000_000_000, v: 1, i: [3, 5] },
};

describe('QR payload', () => {
  it('[D-067] writes the canonical text with the keys in the order t, d: {a, t, v, i}', () => {
    const shuffled: QrContent = {
      d: { i: [3, 5], v: 1, t: 1_790_000_000_000, a: UUID },
      t: 'purchase',
    };
    expect(canonicalQrText(shuffled)).toBe(
      `{"t":"purchase","d":{"a":"${UUID}","t":1790000000000,"v":1,"i":[3,5]}}`,
    );
    expect(canonicalQrText(shuffled)).toBe(JSON.stringify(purchase));
  });

  it('[S3-040] [D-073] wraps kind, data and signature as t, d and s', () => {
    const text = signedQrText(transfer, 'c2lnbmF0dXJl');
    expect(JSON.parse(text)).toEqual({ t: 'transfer', d: transfer.d, s: 'c2lnbmF0dXJl' });
    expect(parseSignedQr(text)).toEqual({ ...transfer, s: 'c2lnbmF0dXJl' });
    for (const kind of ['purchase', 'tier', 'transfer']) {
      const d = kind === 'purchase' ? purchase.d : transfer.d;
      expect(parseQrContent(JSON.stringify({ t: kind, d }))?.t).toBe(kind);
    }
    expect(parseQrContent(JSON.stringify({ ...transfer, t: 'reward' }))).toBeUndefined();
  });

  it('[S3-041] accepts an account of 30 to 52 characters and refuses other lengths', () => {
    const withAccount = (a: unknown) =>
      parseQrContent(JSON.stringify({ t: 'tier', d: { ...transfer.d, a } }));
    expect(withAccount('x'.repeat(29))).toBeUndefined();
    expect(withAccount('x'.repeat(30))).toBeDefined();
    expect(withAccount('x'.repeat(52))).toBeDefined();
    expect(withAccount('x'.repeat(53))).toBeUndefined();
    expect(withAccount(36)).toBeUndefined();
  });

  it('[S3-042] [S3-043] accepts a millisecond number as time and a positive integer as version', () => {
    const withData = (data: object) =>
      parseQrContent(JSON.stringify({ t: 'tier', d: { ...transfer.d, ...data } }));
    for (const t of ['1790000000000', 1.5, -1, null]) expect(withData({ t })).toBeUndefined();
    for (const v of ['1', 0, -1, 1.5]) expect(withData({ v })).toBeUndefined();
    expect(withData({ t: 1_790_000_000_000, v: 1 })?.d).toEqual(transfer.d);
  });

  it('[S3-044] accepts positive integer item ids in purchase codes only', () => {
    const withItems = (i: unknown, t = 'purchase') =>
      parseQrContent(JSON.stringify({ t, d: { ...purchase.d, i } }));
    expect(withItems([1, 2])?.d.i).toEqual([1, 2]);
    for (const items of [[], [0], [-1], [1.5], ['1'], '1', undefined])
      expect(withItems(items)).toBeUndefined();
    expect(withItems([1], 'transfer')).toBeUndefined();
  });

  it('[S5-042] refuses anything but valid JSON of the specified shape', () => {
    for (const text of [
      '',
      'null',
      '[]',
      '"x"',
      '{',
      '{}',
      '{"t":"tier"}',
      '{"t":"tier","d":null,"s":"x"}',
    ]) {
      expect(parseSignedQr(text)).toBeUndefined();
    }
    expect(parseSignedQr(canonicalQrText(transfer))).toBeUndefined();
    expect(parseSignedQr(signedQrText(transfer, ''))).toBeUndefined();
  });

  it('[S3-045] reads the address from d.a of a scanned payload, or from a bare uuid', () => {
    expect(addressOfScan(signedQrText(transfer, 'c2ln'))).toBe(UUID);
    expect(addressOfScan(` ${UUID.toUpperCase()} `)).toBe(UUID);
    expect(addressOfScan('https://athos.example')).toBeUndefined();
  });
});
