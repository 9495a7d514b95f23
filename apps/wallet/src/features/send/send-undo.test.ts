// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import type { AnswerOf } from '@athos/contract/api';
import { holdsOf, walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { FAKE_UUID } from '@athos/testing/session';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { EMPTY_DRAFT, sendDraftOf } from '../../state/send-draft.ts';

const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
const ID = '0192cccc-0000-7000-8000-000000000001';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

/** Makes the server hold every send for some seconds and list it among the held ones. */
function hold(seconds: number): void {
  backend.answer('transfer', () => {
    const postAt = new Date(Date.now() + seconds * 1_000).toISOString();
    const sent: AnswerOf<'holds'>['sent'] = [
      { id: ID, post_at: postAt, to_uuid: RECEIVER, amount: '12500000', asset: 'ATH' },
    ];
    backend.answer('holds', () => holdsOf(Date.now() < Date.parse(postAt) ? sent : []));
    return { id: 7, balance: '0', hold: { id: ID, post_at: postAt } };
  });
}

async function send() {
  sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: RECEIVER });
  const user = await openAt('/app/send/summary');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await pass();
  await pass();
  return { user, dialog: within(screen.getByRole('dialog', { name: 'Successfully sent' })) };
}

it('[W-070] offers Undo with the seconds left beside the specified texts, until the amount arrives', async () => {
  hold(10);
  const { dialog } = await send();
  expect(dialog.getByText('12.50 ATH')).toBeDefined();
  expect(dialog.getByText('Successfully sent', { selector: 'p' })).toBeDefined();
  expect(dialog.getByText(`to ${RECEIVER}`)).toBeDefined();
  expect(dialog.getByText('Arrives in 10 s')).toBeDefined();
  await pass(4_000);
  expect(dialog.getByText('Arrives in 6 s')).toBeDefined();
  await pass(8_000);
  expect(dialog.queryByText(/Arrives/)).toBeNull();
  expect(dialog.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('[W-070] offers no Undo where the answer holds no hold', async () => {
  const { dialog } = await send();
  await pass(1_000);
  expect(dialog.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(dialog.queryByText(/Arrives/)).toBeNull();
});

it('[W-070] has the focus at Done, so that a second press of Enter undoes nothing', async () => {
  hold(10);
  const { dialog } = await send();
  await pass(500);
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Done' }));
});

it('closes with Undo, goes home and says that the amount is back', async () => {
  hold(10);
  const { user, dialog } = await send();
  backend.answer('undoHold', () => {
    backend.answer('holds', () => holdsOf());
    return { state: 'taken_back', balance: '1234567890' };
  });
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  await pass(1_000);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(currentAddress()).toBe('/app');
  expect(screen.getByText('Taken back. 12.50 ATH is in your balance again.')).toBeDefined();
  expect(sendDraftOf(FAKE_UUID).get()).toEqual(EMPTY_DRAFT);
});

it('stays open when Undo comes too late, with the focus at Done', async () => {
  hold(10);
  const { user, dialog } = await send();
  backend.answer('undoHold', () => {
    backend.answer('holds', () => holdsOf());
    return problem('send_settled');
  });
  await user.click(dialog.getByRole('button', { name: 'Undo' }));
  await pass(1_000);
  const text = 'It has arrived already. Ask 0192bbbb…0002 to send it back.';
  expect(screen.getByText(text)).toBeDefined();
  expect(dialog.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Done' }));
});
