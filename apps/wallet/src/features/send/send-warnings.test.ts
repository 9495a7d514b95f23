// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import type { AnswerOf } from '@athos/contract/api';
import { holdsOf, walletAnswers } from '@athos/testing/answers';
import { networkFailure, silence } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { FAKE_UUID } from '@athos/testing/session';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { contactsKey } from '../../state/contacts.ts';
import { sendDraftOf } from '../../state/send-draft.ts';

const NEW = '3f9c1d00-0000-4000-8000-000000000001';
const KNOWN = '3f9c1d7a-5e21-4c0b-9a44-71d2e8b0c6f5';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5' });
});
afterEach(endTest);

const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recipient' });
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });

const past = (answer: AnswerOf<'pastSends'>): void => backend.answer('pastSends', () => answer);

async function enter(address: string) {
  const user = await openAt('/app/send/recipient');
  await user.type(input(), address);
  await pass();
  return user;
}

async function sendFrom(user: Awaited<ReturnType<typeof enter>>) {
  await user.click(next());
  await pass();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await pass();
  return backend.calls('transfer')[0]?.body;
}

it('[W-074] [W-062] warns of a first-time recipient, goes on with one press, and tells the server', async () => {
  past({ is_first_time: true, looks_like: null });
  const user = await enter(NEW);
  expect(
    screen.getByText(/^You have never sent to this account\./).closest('[role=status]'),
  ).not.toBeNull();
  expect(await sendFrom(user)).toMatchObject({ to_uuid: NEW, undo: { warned: true } });
});

it('[W-074] warns of nobody who is known', async () => {
  const user = await enter(NEW);
  expect(screen.queryByText(/never sent/)).toBeNull();
  expect(await sendFrom(user)).toMatchObject({ undo: { warned: false } });
});

/** Makes the server report each send as the first one to its receiver, and hold it. */
function holdFirst(): void {
  const id = '0192cccc-0000-7000-8000-000000000001';
  const postAt = new Date(Date.now() + 60_000).toISOString();
  const sent = { id, post_at: postAt, to_uuid: NEW, amount: '12500000', asset: 'ATH' } as const;
  backend.answer('transfer', () => {
    backend.answer('holds', () => holdsOf([sent]));
    return { id: 7, balance: '0', hold: { id, post_at: postAt, is_first_time: true } };
  });
}

const success = () => within(screen.getByRole('dialog', { name: 'Successfully sent' }));
const FIRST_TIME = 'You have never sent to this account.';

it('goes on after a failure, warns of nobody, and says afterwards what the server has judged', async () => {
  backend.answer('pastSends', networkFailure);
  holdFirst();
  const user = await enter(NEW);
  expect(screen.queryByText(/never sent/)).toBeNull();
  await user.click(next());
  await pass(3_000);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await pass();
  await pass();
  expect(backend.calls('transfer')[0]?.body).toMatchObject({ undo: { warned: false } });
  expect(success().getByText(FIRST_TIME)).toBeDefined();
});

it('[W-074] says it after a summary that was opened directly, and not twice to who was warned', async () => {
  holdFirst();
  sendDraftOf(FAKE_UUID).change({ address: NEW });
  const user = await openAt('/app/send/summary');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await pass();
  await pass();
  expect(success().getByText(FIRST_TIME)).toBeDefined();
  await user.click(success().getByRole('button', { name: 'Done' }));
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: NEW, warned: true });
  const again = await openAt('/app/send/summary');
  await again.click(screen.getByRole('button', { name: 'Send' }));
  await pass();
  await pass();
  expect(success().getByRole('button', { name: 'Undo' })).toBeDefined();
  expect(success().queryByText(FIRST_TIME)).toBeNull();
});

it('waits at Next for an answer that is on its way, for 3 s at most', async () => {
  backend.answer('pastSends', silence);
  const user = await enter(NEW);
  await user.click(next());
  await pass(2_900);
  expect(currentAddress()).toBe('/app/send/recipient');
  await pass(100);
  await pass();
  expect(currentAddress()).toBe('/app/send/summary');
});

it('[W-075] shows a look-alike that is told while Next waits, and stays', async () => {
  let answer: (past: AnswerOf<'pastSends'>) => void = () => undefined;
  backend.answer('pastSends', () => new Promise((resolve) => (answer = resolve)));
  const user = await enter(NEW);
  await user.click(next());
  await pass();
  answer({ is_first_time: true, looks_like: KNOWN });
  await pass();
  expect(screen.getByText('This address looks like one you know')).toBeDefined();
  expect(currentAddress()).toBe('/app/send/recipient');
  await user.click(screen.getByRole('checkbox', { name: 'I compared it with the person.' }));
  expect(await sendFrom(user)).toMatchObject({ to_uuid: NEW, undo: { warned: true } });
});

it('goes on at once where it is told while Next waits that somebody is new', async () => {
  let answer: (past: AnswerOf<'pastSends'>) => void = () => undefined;
  backend.answer('pastSends', () => new Promise((resolve) => (answer = resolve)));
  const user = await enter(NEW);
  await user.click(next());
  await pass();
  answer({ is_first_time: true, looks_like: null });
  await pass();
  expect(currentAddress()).toBe('/app/send/summary');
});

it.each([
  [60, 'You have never sent to this account. You can undo for 60 s.'],
  [5, 'You have never sent to this account. You can undo for 5 s.'],
  [0, FIRST_TIME],
  [undefined, FIRST_TIME],
])('[W-074] says for how long a first send can be undone: %s s', async (seconds, text) => {
  const more = seconds === undefined ? {} : { warned_seconds: seconds };
  past({ is_first_time: true, looks_like: null, ...more });
  await enter(NEW);
  expect(screen.getByText(text)).toBeDefined();
});

it('[W-074] asks nothing about a contact', async () => {
  past({ is_first_time: true, looks_like: null });
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([{ alias: 'Bo', address: KNOWN }]));
  const user = await openAt('/app/send/recipient');
  await user.click(screen.getByRole('button', { name: /^Bo/ }));
  await pass();
  expect(backend.calls('pastSends')).toEqual([]);
  expect(await sendFrom(user)).toMatchObject({ undo: { warned: false } });
});

it('[W-075] [W-062] shows both addresses in full with what differs, and holds Next until they were compared', async () => {
  past({ is_first_time: true, looks_like: KNOWN });
  const user = await enter(NEW);
  const notice = within(
    screen.getByText('This address looks like one you know').closest('[role=alert]') as HTMLElement,
  );
  const shown = notice.getAllByRole('definition').map((one) => one.textContent);
  expect(shown).toEqual([NEW, KNOWN]);
  const marked = [...document.querySelectorAll('mark')].map((mark) => mark.textContent);
  expect(marked).toEqual([...NEW.split('-'), ...KNOWN.split('-')]);
  expect(next().disabled).toBe(true);
  await user.click(notice.getByRole('checkbox', { name: 'I compared it with the person.' }));
  expect(next().disabled).toBe(false);
  expect(await sendFrom(user)).toMatchObject({ to_uuid: NEW, undo: { warned: true } });
});

it('[W-075] holds Next for an address like that of a contact, also after another was compared', async () => {
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([{ alias: 'Bo', address: KNOWN }]));
  past({ is_first_time: true, looks_like: null });
  const user = await enter(NEW);
  expect(screen.getByText('The address of Bo')).toBeDefined();
  await user.click(screen.getByRole('checkbox'));
  await user.type(input(), '{Backspace}2');
  await pass();
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
  expect(next().disabled).toBe(true);
  await user.keyboard('{Enter}');
  await pass();
  expect(currentAddress()).toBe('/app/send/recipient');
});

it('[W-075] shows both addresses, and holds Save, where a new contact looks like a known one', async () => {
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([{ alias: 'Bo', address: KNOWN }]));
  past({ is_first_time: true, looks_like: null });
  const user = await enter(NEW);
  await user.click(screen.getByRole('button', { name: 'ADD CONTACT' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Add Contact' }));
  const save = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' });
  await user.type(dialog.getByRole('textbox', { name: 'Alias' }), 'Bob');
  const shown = dialog.getAllByRole('definition').map((one) => one.textContent);
  expect(shown).toEqual([NEW, KNOWN]);
  expect(save().disabled).toBe(true);
  await user.click(dialog.getByRole('checkbox', { name: 'I compared it with the person.' }));
  expect(save().disabled).toBe(false);
  await user.click(save());
  // The list is written 420 ms after a change.
  await pass(420);
  expect(localStorage.getItem(contactsKey(FAKE_UUID))).toContain('Bob');
});

it('saves a contact who looks like nobody with one press', async () => {
  const user = await enter(NEW);
  await user.click(screen.getByRole('button', { name: 'ADD CONTACT' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Add Contact' }));
  await user.type(dialog.getByRole('textbox', { name: 'Alias' }), 'Bob');
  expect(dialog.queryByRole('checkbox')).toBeNull();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(false);
});

it('[W-076] gives no warning for a known address that looks like another', async () => {
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([{ alias: 'Bo', address: KNOWN }]));
  past({ is_first_time: false, looks_like: null });
  await enter(NEW);
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(next().disabled).toBe(false);
});

const sent = (amount: string, more: object = {}): AnswerOf<'allHistory'>['history'][number] => ({
  type: 'Send',
  data: {
    id: 1,
    date: '2026-11-01T10:00:00.000Z',
    amount,
    asset: 'ATH',
    counterparty: KNOWN,
    ...more,
  },
});

it.each([
  ['three times the largest of them', '400', [sent('133000000')], true],
  [
    'one that came back not among them',
    '400',
    [sent('133000000'), sent('900000000', { state: 'taken_back' })],
    true,
  ],
  ['one as large among them', '400', [sent('133000000'), sent('134000000')], false],
  ['another token', '400', [sent('1000000', { asset: 'ATH2' })], false],
  ['an amount below 50 USD', '200', [sent('1000000')], false],
  ['no send before', '400', [], false],
])(
  '[W-062] compares the amount with the last sends: %s',
  async (_name, paymentAmount, history, isWarned) => {
    backend.answer('allHistory', ({ query }) => {
      const isLast = query.get('type') === 'Send' && query.get('limit') === '20';
      return { history: isLast ? history : [], next_cursor: null };
    });
    sendDraftOf(FAKE_UUID).change({ paymentAmount, address: NEW });
    const user = await openAt('/app/send/summary');
    await pass();
    expect(screen.queryByText(/^This is more than you usually send\./) !== null).toBe(isWarned);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await pass();
    const body = backend.calls('transfer')[0]?.body;
    expect(body).toMatchObject({ undo: { warned: isWarned } });
  },
);

it.each([
  ['60 s', { warned_seconds: 60 }, /You can undo for 60 s\.$/],
  ['no time', { warned_seconds: 0 }, /usually send\.$/],
])('says for how long an unusual amount can be undone: %s', async (_name, more, text) => {
  past({ is_first_time: false, looks_like: null, ...more });
  backend.answer('allHistory', () => ({ history: [sent('1000000')], next_cursor: null }));
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '400', address: NEW });
  await openAt('/app/send/summary');
  await pass();
  expect(screen.getByText(/^This is more than you usually send\./).textContent).toMatch(text);
});
