import { describe, expect, it } from 'vitest';
import {
  allowanceRefusal,
  judgeOffline,
  shapeOf,
  type OfflineFacts,
  type OfflineList,
} from './judge-offline.ts';
import type { TicketCode } from './ticket-code.ts';

const NOW_MS = 1_795_000_000_000;
const HOUR_MS = 3_600_000;
const GENUINE = { isTicketGenuine: true, isShowingGenuine: true };

const grant = {
  untilMs: NOW_MS + 12 * HOUR_MS,
  itemsMax: 10,
  valueMaxAthHundredths: 100_000,
  itemValueMaxAthHundredths: 50_000,
};
const list: OfflineList = {
  madeAtMs: NOW_MS - 60_000,
  offers: new Map([
    [3, { title: 'Drink', priceAthHundredths: 2_400, isActive: true }],
    [4, { title: 'Late show', priceAthHundredths: 3_000, isActive: false }],
    [5, { title: 'Car', priceAthHundredths: 90_000, isActive: true }],
  ]),
  endedTickets: new Set([9]),
  spentItems: new Set([101]),
  grant,
};

const facts: OfflineFacts = {
  nowMs: NOW_MS,
  isClockRight: true,
  isLogWhole: true,
  list,
  own: new Map(),
  unsureItems: new Set(),
  used: { itemCount: 0, valueAthHundredths: 0 },
};

/** Three items of one offer, all shown, and made now. */
function codeOf(over: { offerId?: number; number?: number; ageMs?: number } = {}): TicketCode {
  const { offerId = 3, number = 7, ageMs = 0 } = over;
  return {
    content: {
      keyByte: 1,
      number,
      holder: '0192aaaa',
      validFromS: NOW_MS / 1000 - 3600,
      validHours: 48,
      phoneKey: new Uint8Array(33),
      groups: [{ offerId, firstItemId: 100, itemCount: 3 }],
    },
    ticket: new Uint8Array(),
    timeS: (NOW_MS - ageMs) / 1000,
    selection: [0, 1, 2],
    showingSignature: new Uint8Array(),
  };
}

const look = (
  over: Partial<OfflineFacts> = {},
  code = codeOf(),
  signatures: Partial<typeof GENUINE> = {},
) => judgeOffline(code, { ...GENUINE, ...signatures }, { ...facts, ...over });
const refusal = (...given: Parameters<typeof look>) => {
  const seen = look(...given);
  return seen.kind === 'refused' ? seen.refusal : undefined;
};
const states = (...given: Parameters<typeof look>) => {
  const seen = look(...given);
  return seen.kind === 'items' ? seen.items.map(({ state }) => state) : seen.refusal;
};
const firstState = (...given: Parameters<typeof look>) => {
  const seen = look(...given);
  return seen.kind === 'items' ? seen.items[0]?.state : undefined;
};
const listed = (over: Partial<OfflineList>) => ({ list: { ...list, ...over } });

describe('shapeOf', () => {
  it('tells a signed code from a text that is no code', () => {
    const signed =
      '{"t":"tier","d":{"a":"0192aaaa-0000-7000-8000-000000000001","t":1,"v":1},"s":"x"}';
    expect(shapeOf(signed)).toEqual({ refusal: { reason: 'needs_network' } });
    expect(shapeOf('T1:ABC')).toEqual({ refusal: { reason: 'unreadable' } });
  });
});

describe('judgeOffline', () => {
  it('takes an item that nothing speaks against', () => {
    expect(states()).toEqual(['redeemable', 'already_redeemed', 'redeemable']);
  });

  it('[W-039] refuses a code more than 45 s old, and one that is more than 15 s ahead', () => {
    expect(refusal({}, codeOf({ ageMs: 45_000 }))).toBeUndefined();
    expect(refusal({}, codeOf({ ageMs: 46_000 }))).toEqual({ reason: 'code_time', seconds: 46 });
    expect(refusal({}, codeOf({ ageMs: -15_000 }))).toBeUndefined();
    expect(refusal({}, codeOf({ ageMs: -16_000 }))).toEqual({ reason: 'code_time', seconds: -16 });
  });

  it('refuses a ticket before and after its time', () => {
    const at = (nowMs: number) => ({ nowMs, ...listed({ madeAtMs: nowMs }) });
    expect(refusal(at(NOW_MS - HOUR_MS - 1000))).toEqual({ reason: 'ticket_over' });
    const late = listed({
      madeAtMs: NOW_MS + 47 * HOUR_MS,
      grant: { ...grant, untilMs: NOW_MS + 99 * HOUR_MS },
    });
    expect(refusal({ ...late, nowMs: NOW_MS + 47 * HOUR_MS })).toEqual({ reason: 'ticket_over' });
  });

  it('[W-042] refuses an ended ticket', () => {
    expect(refusal({}, codeOf({ number: 9 }))).toEqual({ reason: 'ticket_ended' });
  });

  it('[W-040] [W-041] [W-043] names what was redeemed here and elsewhere, and what is not redeemed here', () => {
    expect(look({ own: new Map([[100, NOW_MS - 5000]]) })).toMatchObject({
      items: [{ state: 'redeemed_here', atMs: NOW_MS - 5000 }, { state: 'already_redeemed' }, {}],
    });
    expect(states({}, codeOf({ offerId: 99 }))).toEqual([
      'wrong_venue',
      'wrong_venue',
      'wrong_venue',
    ]);
    expect(firstState({}, codeOf({ offerId: 4 }))).toBe('inactive');
    expect(firstState({ unsureItems: new Set([100]) })).toBe('unsure');
  });

  it('[W-044] tells that a code is not valid before anything about its items', () => {
    const used = {
      ...listed({ spentItems: new Set([100, 101, 102]), endedTickets: new Set([7]) }),
    };
    const old = codeOf({ ageMs: 60_000 });
    expect(refusal(used, old, { isTicketGenuine: false })).toEqual({ reason: 'not_genuine' });
    expect(refusal(used, old, { isShowingGenuine: false })).toEqual({ reason: 'not_genuine' });
    expect(refusal(used, old)).toEqual({ reason: 'code_time', seconds: 60 });
    expect(refusal(used)).toEqual({ reason: 'ticket_ended' });
  });

  it('[W-045] stops when the allowance of items or of value is used up', () => {
    const use = (itemCount: number, valueAthHundredths: number) => ({
      used: { itemCount, valueAthHundredths },
    });
    expect(refusal(use(9, 0))).toBeUndefined();
    expect(refusal(use(10, 0))).toEqual({ reason: 'limit' });
    expect(refusal(use(0, 97_600))).toBeUndefined();
    expect(refusal(use(0, 97_601))).toEqual({ reason: 'limit' });
    expect(firstState({}, codeOf({ offerId: 5 }))).toBe('above_limit');
    const seen = look();
    const items = seen.kind === 'items' ? seen.items : [];
    expect(allowanceRefusal(items, { ...facts, ...use(7, 0) })).toBeUndefined();
    expect(allowanceRefusal(items, { ...facts, ...use(8, 0) })).toEqual({ reason: 'limit' });
  });

  it('[W-046] stops with a list older than 12 h, or past its grant', () => {
    const madeAtMs = NOW_MS - 12 * HOUR_MS;
    expect(refusal(listed({ madeAtMs }))).toBeUndefined();
    expect(refusal(listed({ madeAtMs: madeAtMs - 1 }))).toEqual({
      reason: 'list_too_old',
      madeAtMs: madeAtMs - 1,
    });
    const over = { ...grant, untilMs: NOW_MS - 1 };
    expect(refusal(listed({ grant: over }))?.reason).toBe('list_too_old');
  });

  it.each([
    ['no_list', { list: undefined }],
    ['not_allowed', listed({ grant: undefined })],
    ['clock_changed', { isClockRight: false }],
    ['log_changed', { isLogWhole: false }],
  ] as const)('redeems nothing: %s', (reason, over) => {
    expect(refusal(over)).toEqual({ reason });
  });
});
