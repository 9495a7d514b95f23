// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import type { AnswerOf } from '@athos/contract/api';
import { walletAnswers } from '@athos/testing/answers';
import { networkFailure } from '@athos/testing/fake-api';
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

it('warns of nobody without an answer, and holds nothing up', async () => {
  backend.answer('pastSends', networkFailure);
  const user = await enter(NEW);
  expect(screen.queryByText(/never sent/)).toBeNull();
  expect(await sendFrom(user)).toMatchObject({ undo: { warned: false } });
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
