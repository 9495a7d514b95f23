// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answerPayments } from '../../test/buying.ts';
import { answerOffers, wireOffer } from '@athos/testing/samples/catalogue';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import {
  confirmed,
  installFakeCardProvider,
  writeCardSettings,
} from '../../test/fake-card-provider.ts';
import { pass } from '@athos/testing/fake-time';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../test/whole-app.tsx';
import { readOffer } from '../api/offer.ts';
import { cartOf } from '../state/cart.ts';
import { contactBookOf } from '../state/contacts.ts';
import { sendDraftOf } from '../state/send-draft.ts';

const RECEIVER = '0192bbbb-0000-7000-8000-000000000002';
/** Duration of the splash screen. */
const SPLASH_MS = 1200;
/** Longer than a dialog's fade-out. */
const DIALOG_ENDS_MS = 1000;

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  writeCardSettings();
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});
afterEach(async () => {
  await endWholeTest();
  document.head.replaceChildren();
  document.body.replaceChildren();
});

async function start(path: string): Promise<UserEvent> {
  localStorage.setItem('jwt', fakeToken());
  const user = await startAt(path);
  await settle(SPLASH_MS);
  return user;
}

const press = async (user: UserEvent, name: string): Promise<void> => {
  await user.click(screen.getByRole('button', { name }));
  await settle(DIALOG_ENDS_MS);
};

/** jsdom applies history navigation a few turns of the event loop later. */
async function move(by: number): Promise<void> {
  const moved = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.go(by);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(100);
    await moved;
  });
  await settle(DIALOG_ENDS_MS);
}

/** Goes two steps back and two forward. */
async function wander(): Promise<void> {
  for (const by of [-1, -1, 1, 1]) await move(by);
}

describe('back and forward', () => {
  async function sendFromSettings(): Promise<UserEvent> {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: RECEIVER });
    const user = await start('/app/settings');
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Send' }));
    await settle();
    await press(user, 'Next');
    await press(user, 'Next');
    await press(user, 'Send');
    return user;
  }

  it(
    'lead home after a send, and neither repeat it nor offer it again',
    { tags: 'long' },
    async () => {
      const user = await sendFromSettings();
      await press(user, 'Done');
      expect(address()).toBe('/app');
      for (const by of [-1, -1, 1, 1, -1]) {
        await move(by);
        expect(address()).toBe('/app');
      }
      await user.click(screen.getByRole('link', { name: 'Send' }));
      await settle();
      expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount to send' }).value).toBe(
        '',
      );
      expect(backend.calls('transfer')).toHaveLength(1);
    },
  );

  it('lead home while a send says that it is done', async () => {
    await sendFromSettings();
    expect(screen.getByRole('dialog', { name: 'Successfully sent' })).toBeDefined();
    await move(-1);
    expect(address()).toBe('/app');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('return to the steps of a send that is not done', async () => {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5', address: RECEIVER });
    const user = await start('/app/send');
    await press(user, 'Next');
    await press(user, 'Next');
    await move(-1);
    expect(address()).toBe('/app/send/recipient');
    await move(-1);
    expect(address()).toBe('/app/send');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Amount to send' }).value).toBe(
      '12.5',
    );
  });

  it('neither buy a cart again nor restore it', async () => {
    answerOffers(backend, wireOffer(1));
    backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
    cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 2);
    const user = await start('/app');
    await user.click(screen.getByRole('link', { name: 'Settings' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Cart, 2 items' }));
    await settle();
    await press(user, 'Buy');
    await wander();
    expect(address()).toBe('/app/cart');
    expect(screen.getByText('Your cart is empty...')).toBeDefined();
    expect(backend.calls('purchase')).toHaveLength(1);
  });

  it('do not send a tip again', async () => {
    backend.answer('tip', () => ({ id: 9, balance: '0' }));
    answerOffers(backend, wireOffer(1, { kind: 3 }));
    const user = await start('/app/settings');
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await settle();
    history.pushState(null, '', '/app/marketplace/categories/7/offers/1');
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
    await settle();
    fireEvent.change(screen.getByRole('textbox', { name: 'Tip' }), { target: { value: '2.5' } });
    await press(user, 'Tip now');
    await press(user, 'Send Tip');
    await wander();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Tip' }).value).toBe('');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(backend.calls('tip')).toHaveLength(1);
  });

  it('do not charge a card again', { tags: 'long' }, async () => {
    answerPayments(backend);
    const provider = installFakeCardProvider();
    const user = await start('/app/settings');
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Buy $Ath' }));
    await settle();
    await press(user, 'Preview');
    await press(user, 'Purchase');
    await provider.runScript();
    await pass();
    await provider.showForm();
    await press(user, 'Pay');
    backend.answer('paymentIntent', () => ({ stripe_status: 1, error: null }));
    await provider.answer(confirmed());
    await settle(4000);
    await press(user, 'Done');
    expect(address()).toBe('/app');
    await wander();
    await move(-1);
    expect(address()).toBe('/app/buy');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(provider.confirmPayment).toHaveBeenCalledOnce();
    expect(backend.calls('createPaymentIntent')).toHaveLength(1);
  });

  it('do not delete a contact again', async () => {
    const twins = [
      { alias: 'Bo', address: RECEIVER },
      { alias: 'Cy', address: RECEIVER },
    ];
    for (const contact of twins) contactBookOf(FAKE_UUID).add(contact);
    const user = await start('/app/settings');
    await user.click(screen.getByRole('link', { name: 'Home' }));
    await settle();
    history.pushState(null, '', '/app/send/recipient');
    act(() => void dispatchEvent(new PopStateEvent('popstate')));
    await settle();
    await press(user, 'Delete Bo');
    await press(user, 'Delete');
    await wander();
    expect(contactBookOf(FAKE_UUID).get()).toEqual(twins.slice(1));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
