import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSealedColumns, SealedValueError } from './sealed.ts';

const cell = { table: 'account_closures', column: 'mail_to', rowId: 7n };
const TEXT = 'ada@athos.example, Ωmega 🥂';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const sealed = createSealedColumns([oldKey]);

describe('a sealed value', () => {
  it('opens in its own cell to the same text', () => {
    for (const text of [TEXT, '', 'x'.repeat(100_000)]) {
      expect(sealed.open(cell, sealed.seal(cell, text))).toBe(text);
    }
  });

  it('is stored as key number, nonce, text and tag, and contains no part of the text', () => {
    const stored = sealed.seal(cell, TEXT);
    expect(stored).toHaveLength(4 + 12 + Buffer.byteLength(TEXT) + 16);
    expect(stored.includes('ada')).toBe(false);
  });

  it('never looks the same twice under one key', () => {
    const values = Array.from({ length: 100 }, () => sealed.seal(cell, TEXT).toString('hex'));
    expect(new Set(values).size).toBe(100);
    expect(new Set(values.map((value) => value.slice(0, 8))).size).toBe(1);
  });

  it.each([
    ['row', { ...cell, rowId: 8n }],
    ['column', { ...cell, column: 'key' }],
    ['table', { ...cell, table: 'users' }],
  ])('does not open in another %s', (_place, other) => {
    expect(() => sealed.open(other, sealed.seal(cell, TEXT))).toThrow(SealedValueError);
  });

  it('does not open after any single byte was changed, or any was cut off or added', () => {
    const stored = sealed.seal(cell, TEXT);
    for (const index of stored.keys()) {
      const changed = Buffer.from(stored);
      changed.writeUInt8(stored.readUInt8(index) ^ 1, index);
      expect(() => sealed.open(cell, changed), `byte ${index}`).toThrow(SealedValueError);
      expect(() => sealed.open(cell, stored.subarray(0, index))).toThrow(SealedValueError);
    }
    expect(() => sealed.open(cell, Buffer.concat([stored, Buffer.of(0)]))).toThrow(
      SealedValueError,
    );
  });

  it('says which cell failed and never what it holds', () => {
    const stored = Buffer.concat([sealed.seal(cell, TEXT), Buffer.of(0)]);
    expect(() => sealed.open(cell, stored)).toThrow(/^account_closures\.mail_to\.7 was changed/);
  });
});

describe('a new key', () => {
  const rotated = createSealedColumns([newKey, oldKey]);

  it('seals from now on, while the old one still opens what it sealed', () => {
    const before = sealed.seal(cell, TEXT);
    expect(rotated.open(cell, before)).toBe(TEXT);
    const after = rotated.seal(cell, TEXT);
    expect(() => sealed.open(cell, after)).toThrow(/not sealed with any of our keys/);
    expect(createSealedColumns([newKey]).open(cell, after)).toBe(TEXT);
  });

  it('no longer opens what the old one sealed once that is removed', () => {
    expect(() => createSealedColumns([newKey]).open(cell, sealed.seal(cell, TEXT))).toThrow(
      SealedValueError,
    );
  });
});
