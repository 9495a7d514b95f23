import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalQrText, signedQrText, type QrContent } from '@athos/domain/qr-payload';
import { AppError } from '../../platform/errors.ts';
import { createSigningKeys } from '../../platform/keys/signing-keys.ts';
import { readCode } from './read-code.ts';

const keys = createSigningKeys([randomBytes(32)]);
const content: QrContent = {
  t: 'purchase',
  d: { a: randomUUID(), t: 1_795_000_000_000, v: 1, i: [7, 12, 400] },
};
const text = signedQrText(content, keys.signText(canonicalQrText(content)));

function refusalOf(payload: string): string | undefined {
  try {
    readCode(keys, payload);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : 'broken';
  }
}

describe('readCode', () => {
  it('reads what was signed', () => {
    expect(readCode(keys, text)).toEqual({
      kind: 'purchase',
      shortUuid: content.d.a.slice(0, 8),
      holderUuid: content.d.a,
      ticket: null,
      issuedAtMs: content.d.t,
      itemIds: [7, 12, 400],
      hash: expect.any(Buffer),
    });
  });

  it('refuses a text with one character changed, added or removed', () => {
    const taken: string[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      const [before, here, after] = [text.slice(0, at), text.slice(at, at + 1), text.slice(at + 1)];
      const changed = ['0', '1', 'A', '_', ' ', '"', '}', '\\'].filter((sign) => sign !== here);
      const edits = [
        ...changed.map((sign) => before + sign + after),
        ...changed.map((sign) => before + sign + here + after),
        ...(here === '' ? [] : [before + after]),
      ].filter((edit) => edit !== text);
      for (const edit of edits) {
        const refusal = refusalOf(edit);
        if (refusal !== 'unreadable_code' && refusal !== 'invalid_signature') taken.push(edit);
      }
    }
    expect(taken).toEqual([]);
  });

  it('gives the same content the same hash, whichever key signed it', () => {
    const rotated = createSigningKeys([randomBytes(32), randomBytes(32)]);
    const again = signedQrText(content, rotated.signText(canonicalQrText(content)));
    expect(readCode(rotated, again).hash).toEqual(readCode(keys, text).hash);
    const other: QrContent = { ...content, d: { ...content.d, t: content.d.t + 1 } };
    const otherText = signedQrText(other, keys.signText(canonicalQrText(other)));
    expect(readCode(keys, otherText).hash).not.toEqual(readCode(keys, text).hash);
  });
});
