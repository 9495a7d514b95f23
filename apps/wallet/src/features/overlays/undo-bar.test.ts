// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import type { AnswerOf } from '@athos/contract/api';
import { holdsOf } from '@athos/testing/answers';
import { problem, silence } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginTest, endWholeTest, leavePage, settle, startAt } from '../../../test/whole-app.tsx';
import { closeApp } from '../../../test/signed-in.tsx';
import { askForHolds } from '../../api/holds.ts';
import { contactsKey } from '../../state/contacts.ts';

const BEN = '0192bbbb-0000-7000-8000-000000000002';
type Sent = AnswerOf<'holds'>['sent'][number];

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  localStorage.setItem('jwt', fakeToken());
});
afterEach(endWholeTest);

const sendTo = (seconds: number, fields: Partial<Sent> = {}): Sent => ({
  id: '0192cccc-0000-7000-8000-000000000001',
  post_at: new Date(Date.now() + seconds * 1_000).toISOString(),
  to_uuid: BEN,
  amount: '12500000',
  asset: 'ATH',
  ...fields,
});

const underWay = (...sent: Sent[]): void => backend.answer('holds', () => holdsOf(sent));

async function open(path = '/app') {
  const user = await startAt(path);
  await settle(1200);
  await settle(1000);
  return user;
}

const bar = () => screen.queryByRole('region', { name: 'Sends on their way' });
const undoButton = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: /^Undo 12\.50 ATH to / });

it.each(['/app', '/app/cart', '/app/settings', '/app/history', '/app/tiers', '/app/send'])(
  '[W-071] offers Undo at %s, with the seconds left, until the amount arrives',
  async (path) => {
    const sent = sendTo(30);
    underWay(sent);
    await open(path);
    expect(bar()?.textContent).toContain('12.50 ATH to 0192bbbb…0002');
    const seconds = () => Number(/Arrives in (\d+) s/.exec(bar()?.textContent ?? '')?.[1]);
    const before = seconds();
    expect(before).toBeGreaterThan(20);
    await settle(5_000);
    expect(seconds()).toBe(before - 5);
    underWay();
    await settle(30_000);
    expect(bar()).toBeNull();
  },
);

it('[W-071] offers Undo again after a reload', async () => {
  underWay(sendTo(40));
  await open('/app/settings');
  leavePage();
  closeApp();
  await open('/app/wallet');
  expect(undoButton().disabled).toBe(false);
});

it('asks nothing more while nothing is under way', async () => {
  // A reopened stream makes the app fetch everything again.
  backend.answer('events', silence);
  await open();
  const { length } = backend.calls('holds');
  await settle(60_000);
  expect(backend.calls('holds')).toHaveLength(length);
});

it('takes a send back once, says so, and moves the focus to the screen', async () => {
  const sent = sendTo(40);
  underWay(sent);
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([{ alias: 'Ben', address: BEN }]));
  const user = await open();
  backend.answer('undoHold', () => {
    underWay();
    return { state: 'taken_back', balance: '1234567890' };
  });
  const button = screen.getByRole('button', { name: 'Undo 12.50 ATH to Ben' });
  await user.dblClick(button);
  await settle();
  expect(backend.calls('undoHold')).toHaveLength(1);
  expect(backend.calls('undoHold')[0]?.params).toEqual({ id: sent.id });
  expect(screen.getByText('Taken back. 12.50 ATH is in your balance again.')).toBeDefined();
  expect(bar()).toBeNull();
  expect(document.activeElement?.id).toBe('content');
});

it('says whom to ask when the amount has arrived meanwhile', async () => {
  underWay(sendTo(40));
  const user = await open();
  backend.answer('undoHold', () => {
    underWay();
    return problem('send_settled');
  });
  await user.click(undoButton());
  await settle();
  const text = 'It has arrived already. Ask 0192bbbb…0002 to send it back.';
  expect(screen.getByText(text)).toBeDefined();
  expect(bar()).toBeNull();
});

it('keeps offering Undo when it is not known what became of it', async () => {
  underWay(sendTo(58));
  const user = await open();
  backend.answer('undoHold', () => problem('internal_error'));
  await user.click(undoButton());
  await settle(2_000);
  expect(screen.getByText('It could not be taken back. Try again.')).toBeDefined();
  expect(undoButton().disabled).toBe(false);
  const keys = backend.calls('undoHold').map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
});

it('shows the last of several, and the others on request', async () => {
  const others = [1, 2].map((count) =>
    sendTo(20, { id: `0192cccc-0000-7000-8000-00000000001${count}`, amount: `${count}000000` }),
  );
  underWay(sendTo(40), ...others);
  const user = await open();
  const rows = () =>
    within(screen.getByRole('region', { name: 'Sends on their way' })).getAllByRole('listitem');
  expect(rows()).toHaveLength(1);
  const more = screen.getByRole('button', { name: '2 more' });
  expect(more.getAttribute('aria-expanded')).toBe('false');
  await user.click(more);
  expect(rows()).toHaveLength(3);
  expect(screen.getByRole('button', { name: 'Undo 1.00 ATH to 0192bbbb…0002' })).toBeDefined();
});

it('announces each send that is added, in a region that was there before it', async () => {
  await open();
  const region = () => document.querySelector('[aria-live=polite][aria-relevant=additions]');
  const before = region();
  expect(before?.textContent).toBe('');
  const first = sendTo(40);
  const second = sendTo(60, { id: '0192cccc-0000-7000-8000-000000000002' });
  const text = '12.50 ATH to 0192bbbb…0002 is on its way. You can still undo it.';
  const lines = () => [...(region()?.children ?? [])];
  underWay(first);
  await act(askForHolds);
  await settle();
  expect(lines().map(({ textContent }) => textContent)).toEqual([text]);
  const [firstLine] = lines();
  // A send of the same amount to the same receiver.
  underWay(second, first);
  await act(askForHolds);
  await settle();
  expect(lines().map(({ textContent }) => textContent)).toEqual([text, text]);
  // A line that stays is not read out again.
  expect(lines()[1]).toBe(firstLine);
  underWay();
  await settle(60_000);
  expect(region()?.textContent).toBe('');
  expect(region()).toBe(before);
});

it.each(['/app', '/app/wallet'])(
  '[W-072] shows at %s what arrives beside the balance and not in it',
  async (path) => {
    backend.answer('holds', () => holdsOf([], { ATH: '12500000', ATH2: '1' }));
    await open(path);
    const wallet = within(screen.getByRole('region', { name: 'Your wallet' }));
    expect(wallet.getByText('12.50 ATH arriving')).toBeDefined();
    expect(wallet.getByText('0.01 ATH2 arriving')).toBeDefined();
    expect(wallet.getByText('1,234.57', { exact: false }).textContent).toBe('1,234.57 ATH');
    backend.answer('holds', () => holdsOf());
    await settle(6_000);
    expect(wallet.queryByText(/arriving/)).toBeNull();
  },
);

it('works without an answer about what is under way', async () => {
  backend.answer('holds', silence);
  await open();
  expect(bar()).toBeNull();
  expect(screen.getByRole('heading', { name: 'Marketplace' })).toBeDefined();
});
