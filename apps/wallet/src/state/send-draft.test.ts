// @vitest-environment jsdom
import type { ConfirmedIntent } from '@athos/app-core/intents/intent';
import type { Outcome } from '@athos/client/outcome';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeSendDrafts,
  draftAmount,
  EMPTY_DRAFT,
  sendDraftKey,
  sendDraftOf,
  type SendDraft,
  type Sent,
} from './send-draft.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
const ENTERED = { paymentAmount: '12.5', address: RECEIVER } as const;

const DONE: Outcome<Sent> = { status: 'done', data: {} };
const REFUSED: Outcome<unknown> = {
  status: 'refused',
  code: 'insufficient_balance',
  problem: undefined,
};
const UNKNOWN: Outcome<unknown> = { status: 'unknown', code: undefined };

afterEach(() => {
  closeSendDrafts();
  localStorage.clear();
  sessionStorage.clear();
});

/** Simulates closing the tab and opening the app again. */
function closeTab(): void {
  closeSendDrafts();
  sessionStorage.clear();
}

/** Confirms the draft with this outcome, and returns the request. */
async function submit(outcome: Outcome<Sent>): Promise<ConfirmedIntent<SendDraft>> {
  const asked: ConfirmedIntent<SendDraft>[] = [];
  await sendDraftOf(OWNER).submit((intent) => {
    asked.push(intent);
    return Promise.resolve(outcome);
  });
  if (asked[0] === undefined) throw new Error('nothing was sent');
  return asked[0];
}
const status = () => sendDraftOf(OWNER).intent.get().status;

/** Another tab gets the answer that this one waits for. */
function finishElsewhere(key: string): void {
  localStorage.setItem(`${sendDraftKey(OWNER)}:done`, key);
  localStorage.removeItem(sendDraftKey(OWNER));
  dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(OWNER) }));
}

describe('send draft', () => {
  it('[S3-024] [S3-029] keeps name, address, active, paymentAmount, sendAll and usd over a reload', () => {
    const fields = {
      name: 'Bo',
      address: RECEIVER,
      active: true,
      paymentAmount: '12.5',
      sendAll: true,
      usd: '210',
    };
    sendDraftOf(OWNER).change(fields);
    closeSendDrafts();
    expect(sendDraftOf(OWNER).get()).toEqual({ asset: 'ATH', ...fields });
  });

  it('belongs to the account that entered it', () => {
    sendDraftOf(OWNER).change(ENTERED);
    expect(sendDraftOf(RECEIVER).get()).toEqual(EMPTY_DRAFT);
  });

  it('[D-038] keeps the key of one intent over retries and a reload', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key, isRepeat } = await submit(UNKNOWN);
    expect(isRepeat).toBe(false);
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(await submit(UNKNOWN)).toMatchObject({ key, isRepeat: true });
    closeSendDrafts();
    expect(await submit(UNKNOWN)).toMatchObject({ key, isRepeat: true });
  });

  it('[D-038] restores the key if the app was closed before the outcome was known', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(UNKNOWN);
    closeTab();
    expect(sendDraftOf(OWNER).get()).toMatchObject(ENTERED);
    expect(status()).toBe('unknown');
    expect(await submit(UNKNOWN)).toMatchObject({ key, isRepeat: true });
  });

  it.each<[string, Partial<SendDraft>]>([
    ['amount', { paymentAmount: '12.51' }],
    ['receiver', { address: OWNER }],
    ['asset', { asset: 'ATH2' }],
  ])('[D-038] changes the key with another %s after a refusal', async (_name, fields) => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(UNKNOWN);
    sendDraftOf(OWNER).change(fields);
    expect(await submit(REFUSED)).toMatchObject({ key, content: { ...ENTERED, asset: 'ATH' } });
    sendDraftOf(OWNER).change(fields);
    const changed = await submit(UNKNOWN);
    expect(changed).toMatchObject({ isRepeat: false, content: { ...ENTERED, ...fields } });
    expect(changed.key).not.toBe(key);
  });

  it('retries a send with an unknown outcome before a draft that another tab has written since', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    // Confirmed in another tab, whose storage event has not arrived yet.
    const content = { ...ENTERED, asset: 'ATH' };
    const key = '0192cccc-0000-7000-8000-000000000003';
    localStorage.setItem(sendDraftKey(OWNER), JSON.stringify({ ...content, key }));
    sendDraftOf(OWNER).change({ paymentAmount: '13' });
    expect(await submit(UNKNOWN)).toMatchObject({ key, content, isRepeat: true });
    expect(sendDraftOf(OWNER).get()).toMatchObject(content);
  });

  it('shares an unknown outcome between tabs', async () => {
    sendDraftOf(OWNER).change({ ...ENTERED, paymentAmount: '13' });
    const key = '0192cccc-0000-7000-8000-000000000003';
    localStorage.setItem(sendDraftKey(OWNER), JSON.stringify({ ...ENTERED, asset: 'ATH', key }));
    dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(OWNER) }));
    expect(sendDraftOf(OWNER).get()).toMatchObject(ENTERED);
    expect(status()).toBe('unknown');
    localStorage.removeItem(sendDraftKey(OWNER));
    dispatchEvent(new StorageEvent('storage', { key: sendDraftKey(OWNER) }));
    expect(status()).toBe('idle');
    // It may have been sent there, so the same draft is a replay and gets the same response.
    expect(await submit(UNKNOWN)).toMatchObject({ key });
  });

  it('is empty once another tab has sent it, and the next send gets a new key', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(UNKNOWN);
    finishElsewhere(key);
    expect([sendDraftOf(OWNER).get(), status()]).toEqual([EMPTY_DRAFT, 'idle']);
    expect(Object.keys(sessionStorage)).toEqual([]);
    sendDraftOf(OWNER).change(ENTERED);
    expect((await submit(UNKNOWN)).key).not.toBe(key);
  });

  it('is empty if another tab has sent it before this one is reloaded', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    await submit(UNKNOWN);
    const copy = sessionStorage.getItem(sendDraftKey(OWNER)) ?? '';
    await submit(DONE);
    closeSendDrafts();
    sessionStorage.setItem(sendDraftKey(OWNER), copy);
    expect([sendDraftOf(OWNER).get(), status()]).toEqual([EMPTY_DRAFT, 'idle']);
  });

  it('is empty if another tab gets the answer while this one asks in vain', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    await sendDraftOf(OWNER).submit(({ key }) => {
      finishElsewhere(key);
      return Promise.resolve(UNKNOWN as Outcome<Sent>);
    });
    expect([sendDraftOf(OWNER).get(), status()]).toEqual([EMPTY_DRAFT, 'idle']);
  });

  it('stays refused here while another tab sends something else', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(REFUSED);
    finishElsewhere('0192cccc-0000-7000-8000-000000000003');
    expect(sendDraftOf(OWNER).get()).toMatchObject(ENTERED);
    expect(status()).toBe('refused');
    expect((await submit(UNKNOWN)).key).toBe(key);
  });

  it('writes nothing for an account that another tab deleted', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    await submit(UNKNOWN);
    localStorage.clear();
    sessionStorage.clear();
    dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
    expect(status()).toBe('idle');
    expect([Object.keys(localStorage), Object.keys(sessionStorage)]).toEqual([[], []]);
  });

  it('keeps the key if only the spelling of the amount or the alias changes', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(REFUSED);
    sendDraftOf(OWNER).change({ paymentAmount: '12.500', name: 'Bo' });
    expect((await submit(UNKNOWN)).key).toBe(key);
  });

  it('changes the key after success and forgets everything', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(DONE);
    expect(sendDraftOf(OWNER).get()).toEqual(EMPTY_DRAFT);
    closeTab();
    sendDraftOf(OWNER).change(ENTERED);
    expect((await submit(DONE)).key).not.toBe(key);
  });

  it('keeps a refused draft only in its tab', async () => {
    sendDraftOf(OWNER).change(ENTERED);
    const { key } = await submit(REFUSED);
    expect(await submit(REFUSED)).toMatchObject({ key, isRepeat: false });
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
