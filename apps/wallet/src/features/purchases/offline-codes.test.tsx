// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { parseTicketCode, shownItemIds } from '@athos/domain/ticket-code';
import type { Problem } from '@athos/contract/problem';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { wireItem } from '@athos/testing/samples/purchases';
import { ticketAnswers, withheldAnswers } from '@athos/testing/samples/tickets';
import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, endTest, openAt } from '../../../test/signed-in.tsx';
import { signOut } from '../../api/sign-out.ts';
import { confirmer } from '../../state/confirmer.ts';
import { readAnyTickets } from '../../state/ticket-store.ts';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string }) => (
    <img alt={props.label} data-value={props.value} />
  ),
}));

/** The fake IndexedDB needs turns of the event loop, which fake timers would stop. */
const turns = globalThis as unknown as { setImmediate: unknown };
const { setImmediate: realTurn } = turns;
let backend: FakeBackend;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  useFakeTime();
  turns.setImmediate = realTurn;
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: coarse)' }));
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

/** Three drinks of each of these offers; no two offers have consecutive ids. */
const idsOf = (offers: readonly number[]): number[] =>
  offers.flatMap((offer) => Array.from({ length: 3 }, (_, index) => offer * 10 + index));

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isSo(); turn += 1) await pass();
  expect(isSo()).toBe(true);
}
const button = (name: string) => screen.queryByRole('button', { name });
const codeImage = () => screen.queryByRole('img', { name: 'QR code to redeem your purchase' });
function shownIds(): readonly number[] | undefined {
  const code = parseTicketCode(codeImage()?.dataset['value'] ?? '');
  return code && shownItemIds(code);
}

async function openOfflineCode(
  itemIds: readonly number[],
  ...tickets: readonly number[][]
): Promise<UserEvent> {
  const purchases = itemIds.map((id) => wireItem(id, 1));
  backend.answer('myPurchases', () => ({ purchases }));
  const { tickets: answer, registerTicketPhone } = ticketAnswers(...tickets);
  backend.answer('tickets', answer);
  backend.answer('registerTicketPhone', registerTicketPhone);
  const user = await openAt('/app/my-purchases/1/redeem');
  await until(() => button('Offline code') !== null);
  await user.click(screen.getByRole('button', { name: 'Offline code' }));
  await until(() => shownIds() !== undefined);
  return user;
}

it('shows a single offline code without a number', async () => {
  await openOfflineCode([10, 11, 12], [10, 11, 12]);
  expect(shownIds()).toEqual([10, 11, 12]);
  expect(screen.queryByText(/^Code 1 of/)).toBeNull();
  expect(button('Next')).toBeNull();
});

it('shows the items of each ticket of a purchase as a code of its own', async () => {
  const [first, second] = [idsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), idsOf([13])];
  const user = await openOfflineCode([...first, ...second], first, second);
  expect(shownIds()).toEqual(first);
  expect(screen.getByText('Code 1 of 2, 36 items')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await until(() => shownIds()?.length === 3);
  expect(shownIds()).toEqual(second);
  expect(screen.getByText('Code 2 of 2, 3 items')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await until(() => shownIds()?.length === 36);
});

it('says which items are in no offline code', async () => {
  await openOfflineCode([10, 11, 12, 20, 30], [10, 11, 12]);
  expect(shownIds()).toEqual([10, 11, 12]);
  expect(screen.getByText(/^2 of these items are in no offline code/)).toBeDefined();
});

it('keeps no ticket that arrives after the sign-out', async () => {
  const { tickets, registerTicketPhone } = ticketAnswers([10]);
  backend.answer('registerTicketPhone', registerTicketPhone);
  let answerNow: (() => void) | undefined;
  const isAsked = new Promise<void>((resolve) => (answerNow = resolve));
  backend.answer('tickets', async () => {
    if (backend.calls('tickets').length > 1) await isAsked;
    return tickets();
  });
  backend.answer('myPurchases', () => ({ purchases: [wireItem(10, 1)] }));
  await openAt('/app/my-purchases/1/redeem');
  await until(() => backend.calls('tickets').length === 2);
  signOut();
  answerNow?.();
  for (let turn = 0; turn < 60; turn += 1) await pass();
  let kept: unknown = 'not read';
  void readAnyTickets().then((read) => (kept = read));
  await until(() => kept !== 'not read');
  expect(kept).toBeUndefined();
});

async function openRedeem(retriesMs: readonly number[] = []): Promise<UserEvent> {
  backend.answer('myPurchases', () => ({ purchases: [wireItem(10, 1)] }));
  const { length: before } = backend.calls('tickets');
  const user = await openAt('/app/my-purchases/1/redeem');
  await until(() => backend.calls('tickets').length > before);
  for (const retryMs of retriesMs) await pass(retryMs);
  await until(() => button('Offline code') !== null);
  await user.click(screen.getByRole('button', { name: 'Offline code' }));
  return user;
}

it('says until when the account gets no offline codes, also while the server does not answer', async () => {
  const answers = withheldAnswers({ reason: 'conflicts', until: '2026-12-20T12:00:00.000Z' });
  backend.answer('registerTicketPhone', answers.registerTicketPhone);
  backend.answer('tickets', answers.tickets);
  await openRedeem();
  const text = /^No offline codes for this account until Dec 20, 2026/;
  await until(() => screen.queryByText(text) !== null);
  closeApp();
  backend.answer('tickets', () => problem('overloaded'));
  await openRedeem([300, 600]);
  await until(() => screen.queryByText(text) !== null);
});

describe('after a phone has ended whose tickets may only move with a confirmation', () => {
  const ask = vi.fn<(asked: Problem) => Promise<string | undefined>>();

  beforeEach(() => {
    ask.mockReset();
    confirmer.set(ask);
    const { tickets, registerTicketPhone } = ticketAnswers([10]);
    backend.answer('tickets', tickets);
    backend.answer('registerTicketPhone', ({ body, headers }) => {
      if (headers.get('x-confirmation') !== null) return registerTicketPhone({ body });
      return body.by_itself
        ? problem('ticket_phone_elsewhere', { label: 'iPhone' })
        : problem('confirmation_required', { action: 'move_tickets' });
    });
  });
  afterEach(() => confirmer.set(undefined));

  it('no screen asks for one, until the user wants the tickets here', async () => {
    backend.answer('myPurchases', () => ({ purchases: [wireItem(10, 1)] }));
    await openAt('/app/my-purchases');
    await until(() => backend.calls('tickets').length === 2);
    closeApp();
    const user = await openRedeem();
    await until(() => screen.queryByText(/^Offline codes were on iPhone/) !== null);
    expect(ask).not.toHaveBeenCalled();
    ask.mockResolvedValueOnce(undefined);
    await user.click(screen.getByRole('button', { name: 'Use this phone instead' }));
    await until(() => screen.queryByText(/^You have not confirmed it/) !== null);
    ask.mockResolvedValueOnce('c'.repeat(43));
    await user.click(screen.getByRole('button', { name: 'Use this phone instead' }));
    await until(() => shownIds() !== undefined);
    expect(shownIds()).toEqual([10]);
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

it('asks the browser once to keep the tickets, when the phone becomes the ticket phone', async () => {
  const persist = vi.fn(() => Promise.resolve(false));
  Object.defineProperty(navigator, 'storage', { value: { persist }, configurable: true });
  await openOfflineCode([10], [10]);
  expect(backend.calls('registerTicketPhone')).toHaveLength(1);
  expect(persist).toHaveBeenCalledOnce();
  closeApp();
  await openAt('/app/my-purchases/1/redeem');
  await until(() => button('Offline code') !== null);
  expect(backend.calls('tickets').length).toBeGreaterThan(2);
  expect(persist).toHaveBeenCalledOnce();
  Reflect.deleteProperty(navigator, 'storage');
});
