// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeSendDraft,
  draftAmount,
  EMPTY_DRAFT,
  sendDraftKey,
  sendDraftOf,
  type SendDraft,
} from './send-draft.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
const ENTERED = { paymentAmount: '12.5', address: RECEIVER } as const;

afterEach(() => {
  closeSendDraft();
  localStorage.clear();
  sessionStorage.clear();
});

/** The tab is closed, and the app is opened anew. */
function closeTab(): void {
  closeSendDraft();
  sessionStorage.clear();
}

describe('send draft', () => {
  it('[S3-024] [S3-029] holds name, address, active, paymentAmount, sendAll and usd over a reload', () => {
    const fields = {
      name: 'Bo',
      address: RECEIVER,
      active: true,
      paymentAmount: '12.5',
      sendAll: true,
      usd: '210',
    };
    sendDraftOf(OWNER).change(fields);
    closeSendDraft();
    expect(sendDraftOf(OWNER).get()).toEqual({ asset: 'ATH', ...fields });
  });

  it('belongs to the account that wrote it', () => {
    sendDraftOf(OWNER).change(ENTERED);
    expect(sendDraftOf(RECEIVER).get()).toEqual(EMPTY_DRAFT);
  });

  const confirm = () => sendDraftOf(OWNER).confirm();

  it('[D-038] keeps the key of one intent over repeats and a reload', () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key, isRepeat } = confirm();
    expect(isRepeat).toBe(false);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(confirm()).toMatchObject({ key, isRepeat: true });
    closeSendDraft();
    expect(confirm()).toMatchObject({ key, isRepeat: true });
  });

  it('[D-038] finds the key again when the app was closed before the outcome was known', () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = confirm();
    closeTab();
    expect(sendDraftOf(OWNER).get()).toMatchObject({ ...ENTERED, key, isOpen: true });
  });

  it.each<[string, Partial<Pick<SendDraft, 'paymentAmount' | 'address' | 'asset'>>]>([
    ['amount', { paymentAmount: '12.51' }],
    ['receiver', { address: OWNER }],
    ['asset', { asset: 'ATH2' }],
  ])('[D-038] changes the key with another %s, once it is known to be unsent', (_name, fields) => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = confirm();
    sendDraftOf(OWNER).change(fields);
    expect(confirm()).toMatchObject({ ...ENTERED, asset: 'ATH', key });
    sendDraftOf(OWNER).noteRefusal();
    sendDraftOf(OWNER).change(fields);
    expect(sendDraftOf(OWNER).get()).not.toHaveProperty('key');
    expect(confirm().key).not.toBe(key);
  });

  it('asks for what may have been sent before what another tab had written meanwhile', () => {
    sendDraftOf(OWNER).change(ENTERED);
    // Confirmed in another tab, whose news has not come yet.
    const sent = { ...ENTERED, asset: 'ATH', key: '0192cccc-0000-7000-8000-000000000003' };
    localStorage.setItem(sendDraftKey(OWNER), JSON.stringify(sent));
    sendDraftOf(OWNER).change({ paymentAmount: '13' });
    expect(confirm()).toMatchObject({ ...sent, isRepeat: true });
  });

  it('agrees between tabs on what is open', () => {
    sendDraftOf(OWNER).change({ ...ENTERED, paymentAmount: '13' });
    const sent = { ...ENTERED, asset: 'ATH', key: '0192cccc-0000-7000-8000-000000000003' };
    localStorage.setItem(sendDraftKey(OWNER), JSON.stringify(sent));
    dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(OWNER) }));
    expect(sendDraftOf(OWNER).get()).toMatchObject({ ...sent, isOpen: true });
    localStorage.removeItem(sendDraftKey(OWNER));
    dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(OWNER) }));
    expect(sendDraftOf(OWNER).get()).not.toHaveProperty('isOpen');
  });

  it('writes nothing again of an account that another tab deleted', () => {
    sendDraftOf(OWNER).change(ENTERED);
    sendDraftOf(OWNER).confirm();
    localStorage.clear();
    sessionStorage.clear();
    dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []]);
  });

  it('keeps the key when only the spelling of the amount or the alias changes', () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = confirm();
    sendDraftOf(OWNER).noteRefusal();
    sendDraftOf(OWNER).change({ paymentAmount: '12.500', name: 'Bo' });
    expect(confirm().key).toBe(key);
  });

  it('changes the key after success and forgets everything', () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = confirm();
    sendDraftOf(OWNER).clear();
    expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
    closeTab();
    sendDraftOf(OWNER).change(ENTERED);
    expect(confirm().key).not.toBe(key);
  });

  it('keeps a refused draft in its tab alone', () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = confirm();
    sendDraftOf(OWNER).noteRefusal();
    expect(confirm()).toMatchObject({ key, isRepeat: false });
    sendDraftOf(OWNER).noteRefusal();
    closeTab();
    expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
  });

  it.each(['', '{', 'null', '3', '{"asset":"DOGE","paymentAmount":5,"key":1}'])(
    'starts empty over a spoilt storage: %s',
    (text) => {
      sessionStorage.setItem(sendDraftKey(OWNER), text);
      expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
    },
  );
});

describe('draftAmount', () => {
  it.each([
    ['12.5', 12_500_000n],
    ['0.000001', 1n],
    ['0.0000015', 2n],
    ['7.', 7_000_000n],
  ])('[S3-007] multiplies %s by 1,000,000 and rounds to whole units', (paymentAmount, amount) => {
    expect(draftAmount({ ...EMPTY_DRAFT, paymentAmount })).toBe(amount);
  });

  it.each(['', '.', '0', '0.00', '0.0000001'])(
    '[D-157] counts %j as no amount',
    (paymentAmount) => {
      expect(draftAmount({ ...EMPTY_DRAFT, paymentAmount })).toBeUndefined();
    },
  );
});
