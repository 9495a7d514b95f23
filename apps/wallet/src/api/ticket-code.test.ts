import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  encodeTicket,
  parseTicketCode,
  showingToSign,
  shownItemIds,
  ticketToSign,
} from '@athos/domain/ticket-code';
import type { KeptTickets } from '../state/ticket-store.ts';
import { showTicket } from './ticket-code.ts';

const NOW_MS = 1_795_000_060_000;
const server = generateKeyPairSync('ed25519').privateKey;
let kept: KeptTickets;

beforeAll(async () => {
  const key = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const body = encodeTicket({
    keyByte: 1,
    number: 7,
    holder: '0192f3a1',
    validFromS: NOW_MS / 1000 - 60,
    validHours: 48,
    phoneKey: Uint8Array.from([2, ...new Uint8Array(32)]),
    groups: [{ offerId: 3, firstItemId: 100, itemCount: 5 }],
  });
  const ticket = Uint8Array.from([...body, ...sign(null, ticketToSign(body), server)]);
  kept = {
    userUuid: 'a',
    key,
    publicKey: 'own',
    phone: { publicKey: 'own', label: 'This phone' },
    tickets: [{ purchaseId: 5, ticket }],
    answeredAtMs: NOW_MS,
    serverOffsetMs: 0,
  };
});
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
  return () => vi.useRealTimers();
});

const show = (over: Partial<KeptTickets> = {}, itemIds: readonly number[] = [101, 104]) =>
  showTicket({ ...kept, ...over }, { purchaseId: 5, itemIds });

describe('showTicket', () => {
  it('[W-019] signs the chosen items and no others, with the key of the phone', async () => {
    const shown = await show();
    const code = shown.state === 'code' ? parseTicketCode(shown.text) : undefined;
    if (code === undefined) throw new Error('no code');
    expect(shownItemIds(code)).toEqual([101, 104]);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', code.ticket));
    const isOwn = await crypto.subtle.verify(
      { name: 'ECDSA', hash: 'SHA-256' },
      kept.key.publicKey,
      code.showingSignature,
      showingToSign(hash, code, 5),
    );
    expect(isOwn).toBe(true);
  });

  it('[W-018] has the time of the server, whatever the clock of the phone says', async () => {
    const shown = await show({ serverOffsetMs: 3_600_000 });
    const code = shown.state === 'code' ? parseTicketCode(shown.text) : undefined;
    expect(code?.timeS).toBe(NOW_MS / 1000 + 3600);
  });

  it('[W-021] shows no ticket past its time', async () => {
    vi.setSystemTime(NOW_MS + 48 * 3_600_000);
    expect(await show()).toEqual({ state: 'over' });
  });

  it('[W-022] has nothing for a purchase, or for items, that no ticket was fetched for', async () => {
    expect(await show({ tickets: [] })).toEqual({ state: 'missing' });
    expect(await show({}, [999])).toEqual({ state: 'missing' });
  });

  it('[W-023] shows nothing after the clock was set back', async () => {
    vi.setSystemTime(NOW_MS - 4_000);
    expect((await show()).state).toBe('code');
    vi.setSystemTime(NOW_MS - 6_000);
    expect(await show()).toEqual({ state: 'clock' });
  });

  it('says until when tickets are withheld, and then that they have to be fetched', async () => {
    const untilMs = NOW_MS + 3_600_000;
    const withheld = { reason: 'conflicts', untilMs } as const;
    expect(await show({ tickets: [], withheld })).toEqual({ state: 'withheld', untilMs });
    vi.setSystemTime(untilMs);
    expect(await show({ tickets: [], withheld })).toEqual({ state: 'missing' });
    expect(await show({ tickets: [], withheld: { reason: 'held' } })).toEqual({ state: 'held' });
  });

  it('shows nothing while another phone shows the tickets', async () => {
    const phone = { publicKey: 'theirs', label: 'Old phone' };
    expect(await show({ phone })).toEqual({ state: 'elsewhere', label: 'Old phone' });
  });
});
