// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { FAKE_UUID } from '@athos/testing/session';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { sendDraftOf } from '../../state/send-draft.ts';

const BEN = '0192bbbb-0000-7000-8000-000000000002';
const CODE = 'Ab-_567890123456789012';
const NOBODY = { exists: false, uuid: null } as const;

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const draft = () => sendDraftOf(FAKE_UUID).get();
const lookedUp = () => backend.calls('recipient').map(({ body }) => body.text);
const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recipient' });
const pressNext = async (user: Awaited<ReturnType<typeof openAt>>): Promise<void> => {
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await pass();
};

describe('recipient step', () => {
  it('puts the address in the place of a handle, and goes on with the next tap', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: BEN, name: 'Ben' }));
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '1' });
    const user = await openAt('/app/send/recipient');
    await user.type(input(), '@ben');
    await pressNext(user);
    expect(lookedUp()).toEqual(['@ben']);
    expect([currentAddress(), input().value]).toEqual(['/app/send/recipient', '@ben']);
    expect(screen.getByText(BEN)).toBeDefined();
    expect(screen.getByText('Ben').parentElement?.textContent).toBe('Ben (chosen by this person)');
    expect(screen.getByText('B')).toBeDefined();
    await pressNext(user);
    expect(currentAddress()).toBe('/app/send/summary');
    expect(draft()).toMatchObject({ address: BEN, name: '@ben' });
  });

  it.each([
    ['the handle of nobody', '@ghost', () => NOBODY, /^Nobody can be found by this\./],
    [
      'too many look-ups',
      '@ben',
      () => problem('too_many_requests'),
      /^You have looked up as many/,
    ],
  ])('shows %s beside the field', async (_case, text, answer, fault) => {
    backend.answer('recipient', answer);
    const user = await openAt('/app/send/recipient');
    await user.type(input(), text);
    await pressNext(user);
    expect(screen.getAllByText(fault)).not.toEqual([]);
    expect(input().getAttribute('aria-invalid')).toBe('true');
    expect(currentAddress()).toBe('/app/send/recipient');
  });

  it('reads a pasted pay link, and fills in what it asks for', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH2' as const, note: 'For May' },
    }));
    const user = await openAt('/app/send/recipient');
    await user.click(input());
    await user.paste(`https://wallet.example/app/pay?code=${CODE}`);
    await pressNext(user);
    expect(lookedUp()).toEqual([CODE]);
    expect(draft()).toMatchObject({
      address: BEN,
      paymentAmount: '12.5',
      asset: 'ATH2',
      asked: 'For May',
    });
  });

  it('keeps the amount that was entered before a pay link was pasted', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH2' as const, note: '' },
    }));
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '3' });
    const user = await openAt('/app/send/recipient');
    await user.click(input());
    await user.paste(CODE);
    await pressNext(user);
    expect(draft()).toMatchObject({ address: BEN, paymentAmount: '3', asset: 'ATH' });
  });
});

describe('summary', () => {
  const open = () => {
    sendDraftOf(FAKE_UUID).change({ address: BEN, paymentAmount: '1', asked: 'For May' });
    return openAt('/app/send/summary');
  };

  it('[W-077] shows the name that the recipient chose, marked as such', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: BEN, name: 'Benjamin' }));
    await open();
    expect(screen.getByText('Benjamin').parentElement?.textContent).toBe(
      'Benjamin (chosen by this person)',
    );
    expect(screen.getByText('B')).toBeDefined();
    expect(screen.getByText('For May')).toBeDefined();
  });

  it('[W-077] shows no name of a recipient who does not let it be seen', async () => {
    await open();
    expect(screen.queryByText('(chosen by this person)', { exact: false })).toBeNull();
  });
});

describe('/app/pay', () => {
  const open = () => openAt(`/app/pay?code=${CODE}`);

  it('[W-082] opens the amount step, with the receiver entered', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: null, asset: 'ATH' as const, note: '' },
    }));
    sendDraftOf(FAKE_UUID).change({ address: 'typed before', paymentAmount: '5', met: 'code' });
    await open();
    expect(lookedUp()).toEqual([CODE]);
    expect(currentAddress()).toBe('/app/send');
    expect(draft()).toMatchObject({ address: BEN, paymentAmount: '', met: undefined });
  });

  it('[W-082] opens the recipient step where the amount is given', async () => {
    backend.answer('recipient', () => ({
      exists: true,
      uuid: BEN,
      pay: { amount: '12500000', asset: 'ATH' as const, note: 'For May' },
    }));
    await open();
    expect([currentAddress(), input().value]).toEqual(['/app/send/recipient', BEN]);
    expect(draft()).toMatchObject({ paymentAmount: '12.5', asked: 'For May' });
  });

  it('[W-083] says that a link was ended', async () => {
    backend.answer('recipient', () => NOBODY);
    await open();
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
    expect(draft().address).toBe('');
  });

  it('looks nothing up without a code', async () => {
    await openAt('/app/pay?code=7');
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
    expect(lookedUp()).toEqual([]);
  });

  it('tells owners that the link is their own', async () => {
    backend.answer('recipient', () => ({ exists: true, uuid: FAKE_UUID }));
    await open();
    expect(screen.getByText(/^This is your own link\./)).toBeDefined();
  });

  it('asks again on request where there was no answer', async () => {
    backend.answer('recipient', () => problem('internal_error'));
    const user = await open();
    backend.answer('recipient', () => NOBODY);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(screen.getByText(/^This link does not work, or was ended\./)).toBeDefined();
  });
});
