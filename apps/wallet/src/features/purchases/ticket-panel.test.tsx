// @vitest-environment jsdom
import { ApiError, NetworkError } from '@athos/client/errors';
import type { ErrorCode } from '@athos/contract/errors';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TicketCode } from '../../api/ticket-code.ts';
import { isCodeShown } from '../../state/network.ts';
import { TicketPanel } from './ticket-panel.tsx';

const moveTicketsHere = vi.hoisted(() => vi.fn<(userUuid: string) => Promise<void>>());
vi.mock('../../api/tickets.ts', () => ({ moveTicketsHere }));

beforeEach(() => moveTicketsHere.mockReset());
afterEach(cleanup);

const show = (code: TicketCode, isOffline = true) =>
  render(<TicketPanel code={code} userUuid="ada" isOffline={isOffline} />);
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const CHROME =
  'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const CODE = { state: 'code', text: 'T1:ABC', validUntilMs: Date.UTC(2026, 10, 25, 12) } as const;

describe('the offline code', () => {
  it('[W-017] stands with the time until which it works, and nothing may cover it', () => {
    show(CODE);
    expect(screen.getByRole('img', { name: 'QR code to redeem your purchase' })).toBeDefined();
    expect(
      screen.getByText(
        /^You are offline\. This code works without a network until Nov 25, 2026 at .+\.$/,
      ),
    ).toBeDefined();
    expect(isCodeShown.get()).toBe(true);
    cleanup();
    expect(isCodeShown.get()).toBe(false);
  });

  it('[W-020] says online that it works without a network', () => {
    show(CODE, false);
    expect(screen.getByText(/^This code works without a network until/)).toBeDefined();
  });

  it.each([
    ['[W-021]', 'over', 'The offline code has run out. Connect once to renew it.'],
    ['[W-022]', 'missing', 'Open this purchase once with a network to use it offline.'],
    ['[W-023]', 'clock', "This phone's clock was changed. Connect once."],
  ] as const)('%s says why there is none: %s', (_row, state, text) => {
    show({ state });
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByRole('img', { name: /QR/ })).toBeNull();
    expect(isCodeShown.get()).toBe(false);
  });

  it('says until when the account gets none, and that redemption is held', () => {
    show({ state: 'withheld', untilMs: Date.UTC(2026, 10, 25, 12) });
    expect(
      screen.getByText(
        /^No offline codes for this account until Nov 25, 2026 at .+\. The usual code works with a network\.$/,
      ),
    ).toBeDefined();
    cleanup();
    show({ state: 'held' });
    expect(
      screen.getByText(/^Nothing can be redeemed with this account at the moment\./),
    ).toBeDefined();
  });

  it('names the other phone and moves the tickets when asked, but not offline', async () => {
    const elsewhere = { state: 'elsewhere', label: 'iPhone' } as const;
    show(elsewhere);
    expect(screen.getByText('Offline codes are on iPhone.')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
    cleanup();
    show(elsewhere, false);
    moveTicketsHere.mockRejectedValueOnce(new NetworkError('no network'));
    const button = screen.getByRole('button', { name: 'Use this phone instead' });
    await userEvent.click(button);
    expect(screen.getByRole('alert').textContent).toContain('Check your connection.');
    moveTicketsHere.mockResolvedValueOnce();
    await userEvent.click(screen.getByRole('button', { name: 'Use this phone instead' }));
    expect(moveTicketsHere.mock.calls).toEqual([['ada'], ['ada']]);
  });

  it.each([
    ['confirmation_required', 'You have not confirmed it, so nothing was done.'],
    ['too_many_attempts', 'The offline codes have moved too often today. Try again tomorrow.'],
    ['too_many_requests', 'Too many attempts. Wait 8 seconds and try again.'],
    ['invalid_proof', 'That did not work. Try again in a moment.'],
  ] as const)('says why the tickets did not move: %s', async (code: ErrorCode, text) => {
    show({ state: 'elsewhere', label: 'iPhone' }, false);
    const problem = { type: '', title: '', status: 400, code, detail: '', request_id: 'r' };
    moveTicketsHere.mockRejectedValueOnce(
      new ApiError(400, '', { ...problem, retry_after_seconds: 8 }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Use this phone instead' }));
    expect(screen.getByRole('alert').textContent).toContain(text);
    expect(screen.queryByText(/Check your connection/)).toBeNull();
  });

  it('offers to use this phone again if the other one is of its kind', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(SAFARI);
    show({ state: 'elsewhere', label: 'iPhone' }, false);
    expect(screen.getByText('Offline codes are on iPhone.')).toBeDefined();
    expect(screen.getByText(/^If that is this phone, it has lost them/)).toBeDefined();
    moveTicketsHere.mockResolvedValueOnce();
    await userEvent.click(screen.getByRole('button', { name: 'Use this phone' }));
    expect(moveTicketsHere.mock.calls).toEqual([['ada']]);
    cleanup();
    show({ state: 'elsewhere', label: 'Android' }, false);
    expect(screen.getByRole('button', { name: 'Use this phone instead' })).toBeDefined();
    expect(screen.queryByText(/If that is this phone/)).toBeNull();
  });
});

describe('how long the browser keeps the code', () => {
  const WARNING = /^This browser forgets offline codes after 7 days without a visit/;

  it.each([
    ['Safari', SAFARI, true],
    ['Chrome on an iPhone', SAFARI.replace('Version/', 'CriOS/'), true],
    ['Chrome on Android', CHROME, false],
  ])('is told in %s if it forgets', (_name, userAgent, isTold) => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
    show(CODE, false);
    expect(screen.queryByText(WARNING) !== null).toBe(isTold);
  });

  it('is not told in a wallet that was added to the home screen, or at a gate without a network', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(SAFARI);
    show(CODE, true);
    expect(screen.queryByText(WARNING)).toBeNull();
    cleanup();
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(display-mode: standalone)',
    }));
    show(CODE, false);
    expect(screen.queryByText(WARNING)).toBeNull();
    vi.unstubAllGlobals();
  });
});
