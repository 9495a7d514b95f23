// @vitest-environment jsdom
import { networkFailure, problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import {
  CUSTOMER_UUID,
  customer,
  customerHolds,
  heldSend,
  heldSends,
  hold,
  PUBLIC_NAMES,
  recovery,
} from '@athos/testing/samples/console-customers';
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  beginTest,
  closeConsole,
  endTest,
  openConsole,
  settle,
} from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const CUSTOMER = `/customers/${CUSTOMER_UUID}`;
const region = (name: string) => screen.getByRole('region', { name });

it('a search is kept in the address, and the key / focuses it', { tags: 'long' }, async () => {
  const user = await openConsole('/customers');
  await user.keyboard('/maria{Enter}');
  await settle();
  expect(location.search).toBe('?q=maria');
  const { query } = backend.calls('customers').at(-1) ?? {};
  expect(Object.fromEntries(query ?? [])).toEqual({ q: 'maria', sort: 'newest' });
  expect(screen.getByLabelText('Search customers')).toHaveProperty('value', 'maria');
});

it('[O-070] a balance below zero is shown as such', async () => {
  backend.answer('customer', () =>
    customer({ balances: { ATH: '-431500000', ATH2: '0', ATH3: '0' } }),
  );
  await openConsole(CUSTOMER);
  expect(region('Balance').textContent).toBe('−431.50 ATH');
  expect(screen.getByText('Below zero')).toBeDefined();
});

describe('an address', () => {
  it('stays masked until staff with the permission show it', async () => {
    const user = await openConsole(CUSTOMER);
    expect(backend.calls('customerContact')).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Show the whole address' }));
    await settle();
    expect(screen.getByText('maria.lind@example.com')).toBeDefined();
  });

  it('[O-036] has nothing to unmask it for somebody without the permission', async () => {
    backend.answer('me', () => staffWith(['finance']));
    await openConsole(CUSTOMER);
    expect(screen.queryByRole('button', { name: 'Show the whole address' })).toBeNull();
  });
});

it('whoever is found by no search may be somebody who has not verified their address', async () => {
  backend.answer('customers', () => ({
    items: [],
    next_cursor: null,
    count: { value: 0, is_at_least: false },
  }));
  const user = await openConsole('/customers?q=new@example.com');
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Resend a verification email' }));
  await settle();
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send email' }));
  await settle();
  expect(backend.calls('sendVerificationMail')[0]?.body).toEqual({ email: 'new@example.com' });
});

it('an address that cannot be read says so, and can be asked for again', async () => {
  backend.answer('customerContact', () => problem('internal_error'));
  const user = await openConsole(CUSTOMER);
  const show = () => user.click(screen.getByRole('button', { name: 'Show the whole address' }));
  await show();
  await settle(2000);
  expect(screen.getByText('The address could not be read. Try again.').role).toBe('alert');
  backend.answer('customerContact', () => ({ email: 'maria.lind@example.com' }));
  await show();
  await settle();
  expect(screen.getByText('maria.lind@example.com')).toBeDefined();
});

describe('erasing', () => {
  async function openDialog() {
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Erase the customer' }));
    await settle();
    return { user, dialog: within(screen.getByRole('dialog', { name: 'Erase the customer' })) };
  }

  it('[O-165] says in numbers what goes, and asks somebody else', { tags: 'long' }, async () => {
    const { user, dialog } = await openDialog();
    expect(screen.getByRole('dialog').textContent).toContain(
      'Forfeits 84.15 ATH, 12.00 ATH2 to the programme. Ends 2 sessions. 3 items that were bought can never be redeemed.',
    );
    await user.type(dialog.getByLabelText('Reason'), 'Wrote to us and wants to leave.');
    await user.click(dialog.getByRole('button', { name: 'Request erasure' }));
    await settle();
    expect(backend.calls('eraseCustomer')[0]?.body).toEqual({
      reason: 'Wrote to us and wants to leave.',
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('cannot be asked for while something stands in the way, and says what', async () => {
    backend.answer('customerErasure', () => ({
      balances: { ATH: '0', ATH2: '0', ATH3: '0' },
      session_count: 0,
      unredeemed_count: 0,
      obstacle: { code: 'value_held', title: 'Value of this account is held for a request.' },
    }));
    const { dialog } = await openDialog();
    expect(dialog.getByRole('button', { name: 'Request erasure' })).toHaveProperty(
      'disabled',
      true,
    );
    expect(dialog.getAllByText('Value of this account is held for a request.')).not.toEqual([]);
  });
});

describe('a hold', () => {
  it('is placed with kinds, reason and end; a repeat is the same request', async () => {
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Place hold' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Place a hold' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Spending' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Sending' }));
    await user.selectOptions(dialog.getByLabelText('Ends'), 'day');
    expect(screen.getByRole('dialog').textContent).toContain(
      'Stops at once: sending, spending. It ends in 24 hours.',
    );
    await user.type(dialog.getByLabelText('Reason'), 'The phone was stolen.');
    backend.answer('placeHold', () => problem('internal_error'));
    await user.click(dialog.getByRole('button', { name: 'Place hold' }));
    await settle(2000);
    backend.answer('placeHold', () => customerHolds(hold()));
    await user.click(dialog.getByRole('button', { name: 'Place hold' }));
    await settle();
    const calls = backend.calls('placeHold');
    expect(new Set(calls.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(new Set(calls.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(calls[0]?.body).toMatchObject({
      kinds: ['send', 'spend'],
      reason: 'The phone was stolen.',
      ends_at: expect.stringMatching(/Z$/) as string,
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('can be released if placed by staff, but not if placed by a debt', async () => {
    backend.answer('customerHolds', () =>
      customerHolds(hold(), hold({ id: 72, cause: 'debt', placed_by: null, kinds: ['redeem'] })),
    );
    const user = await openConsole(CUSTOMER);
    const [first, second] = within(region('Holds')).getAllByRole('button', { name: 'Release' });
    expect(second).toHaveProperty('disabled', true);
    expect(region('Holds').textContent).toContain('It ends when the debt is repaid.');
    if (first === undefined) throw new Error('no hold to release');
    await user.click(first);
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Release the hold' }));
    await user.type(dialog.getByLabelText('Reason'), 'The phone was found.');
    await user.click(dialog.getByRole('button', { name: 'Release' }));
    await settle();
    expect(backend.calls('releaseHold')[0]?.params).toEqual({ uuid: CUSTOMER_UUID, id: '71' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a customer who waits for the removal of a second step', () => {
  const REASON = 'Came to the desk with a passport.';
  const wait = (more: Parameters<typeof recovery>[0] = {}) =>
    backend.answer('customer', () => customer({ recovery: recovery(more) }));

  it('has a card, which nobody else has', async () => {
    await openConsole(CUSTOMER);
    expect(screen.queryByRole('region', { name: 'Lost second step' })).toBeNull();
  });

  it('is refused with a reason', async () => {
    wait();
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Refuse' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Refuse to remove the second step' }));
    const refuse = () => dialog.getByRole('button', { name: 'Refuse' });
    expect(refuse()).toHaveProperty('disabled', true);
    await user.type(dialog.getByLabelText('Reason'), REASON);
    await user.click(refuse());
    await settle();
    expect(backend.calls('refuseRecovery')[0]).toMatchObject({
      params: { uuid: CUSTOMER_UUID },
      body: { reason: REASON },
    });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('waits less long once somebody else has agreed', async () => {
    wait();
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Shorten' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Shorten the wait' }));
    await user.selectOptions(dialog.getByLabelText('Ends after the approval'), '6 hours later');
    await user.type(dialog.getByLabelText('Reason'), REASON);
    await user.click(dialog.getByRole('button', { name: 'Request approval' }));
    await settle();
    expect(backend.calls('shortenRecovery')[0]?.body).toEqual({ hours: 6, reason: REASON });
    expect(screen.getByText(/Sent for approval/)).toBeDefined();
  });

  it('is offered only what ends the wait sooner', async () => {
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    wait({ ends_at: inHours(7) });
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Shorten' }));
    await settle();
    const choice = within(screen.getByLabelText('Ends after the approval'));
    expect(choice.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      '6 hours later',
      '1 hour later',
    ]);
  });

  it('shows the request that waits, and what the roles rule out', async () => {
    backend.answer('me', () => staffWith(['brand_manager']));
    wait({ approval_id: '0192f0f0-0000-7000-8000-000000000001' });
    await openConsole(CUSTOMER);
    const card = within(region('Lost second step'));
    expect(card.getByRole('link', { name: 'Waiting for approval' })).toBeDefined();
    expect(card.getByRole('button', { name: 'Refuse' })).toHaveProperty('disabled', true);
    expect(card.queryByRole('button', { name: 'Shorten' })).toBeNull();
  });
});

describe('the names that a customer chose', () => {
  const openDialog = async () => {
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Remove name or handle' }));
    await settle();
    return { user, dialog: within(screen.getByRole('dialog', { name: 'Remove name or handle' })) };
  };

  it('stand among the facts, and are removed by choice and with a reason', async () => {
    backend.answer('customer', () => customer({ public_names: PUBLIC_NAMES }));
    const { user, dialog } = await openDialog();
    await user.type(dialog.getByLabelText('Reason'), 'Passes for our ticket desk.');
    expect(dialog.getByRole('button', { name: 'Remove' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('checkbox', { name: /^Handle/ }));
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    await settle();
    expect(backend.calls('removePublicNames')[0]?.body).toEqual({
      handle: 'ticket_desk',
      reason: 'Passes for our ticket desk.',
    });
    expect(region('Facts').textContent).toContain('Maria from the ticket desk (senders see it)');
    expect(region('Facts').textContent).toContain('@ticket_desk');
  });

  it('that are only one are chosen already', async () => {
    backend.answer('customer', () => customer({ public_names: { ...PUBLIC_NAMES, handle: null } }));
    const { dialog } = await openDialog();
    expect(dialog.getByRole('checkbox', { name: /^Display name/ })).toHaveProperty('checked', true);
  });

  it('that are none leave nothing to remove', async () => {
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    expect(screen.getByRole('menuitem', { name: /^Remove name or handle/ }).textContent).toContain(
      'This customer has chosen neither.',
    );
  });
});

describe('a send on its way', () => {
  it('is given back with a reason, and its dialog stays when it has arrived meanwhile', async () => {
    backend.answer('customerHeldSends', () => heldSends(heldSend()));
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Give back' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Give a send back' }));
    backend.answer('customerHeldSends', () => heldSends());
    backend.answer('returnHeldSend', () => problem('send_settled'));
    await user.type(dialog.getByLabelText('Reason'), 'Sent to a stranger.');
    await settle(6000);
    await user.click(dialog.getByRole('button', { name: 'Give back' }));
    await settle();
    expect(backend.calls('returnHeldSend')[0]).toMatchObject({
      params: { uuid: CUSTOMER_UUID, id: heldSend().id },
      body: { reason: 'Sent to a stranger.' },
    });
    expect(dialog.getByText('This send has arrived already.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await settle();
    expect(screen.queryByRole('region', { name: 'Sends on their way' })).toBeNull();
  });
});

describe('an adjustment', () => {
  it('[O-165] says in numbers what it does, and that it waits for a vote', async () => {
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Adjust the balance' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Adjust the balance' }));
    await user.selectOptions(dialog.getByLabelText('Direction'), 'debit');
    await user.type(dialog.getByLabelText('Amount in ATH'), '4.15');
    expect(screen.getByRole('dialog').textContent).toContain(
      'Takes 4.15 ATH. The balance will be 80.00 ATH.',
    );
    await user.type(dialog.getByLabelText('Reason'), 'Credited twice by mistake.');
    await user.click(dialog.getByRole('button', { name: 'Take 4.15 ATH' }));
    await settle();
    expect(backend.calls('debitCustomer')[0]?.body).toEqual({
      amount: '4150000',
      asset: 'ATH',
      reason: 'Credited twice by mistake.',
    });
    expect(screen.getByText(/Sent for approval/)).toBeDefined();
  });
});

describe('an adjustment whose outcome is unknown', () => {
  const FIRST_REASON = 'Paid twice by mistake.';
  async function enter(user: UserEvent, reason: string): Promise<void> {
    screen.getByRole('button', { name: 'Actions' }).focus();
    await user.keyboard('{Enter}');
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Adjust the balance' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Adjust the balance' }));
    await user.type(dialog.getByLabelText('Amount in ATH'), '4.15');
    await user.click(dialog.getByLabelText('Reason'));
    await user.paste(reason);
    await user.click(dialog.getByRole('button', { name: 'Give 4.15 ATH' }));
    await settle(2_000);
  }
  async function loseAnswer(): Promise<UserEvent> {
    backend.answer('creditCustomer', networkFailure);
    const user = await openConsole(CUSTOMER);
    await enter(user, FIRST_REASON);
    return user;
  }
  async function cancel(user: UserEvent): Promise<void> {
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await settle();
  }
  const keys = (): (string | null)[] =>
    backend.calls('creditCustomer').map(({ headers }) => headers.get('idempotency-key'));

  it('keeps its key when its dialog was closed and opened again', async () => {
    const user = await loseAnswer();
    await cancel(user);
    backend.answer('creditCustomer', () => ({ outcome: 'done' }));
    await enter(user, FIRST_REASON);
    expect(new Set(keys()).size).toBe(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it(
    'keeps its key when the page was loaded again before the answer',
    { tags: 'long' },
    async () => {
      backend.answer('creditCustomer', () => new Promise(() => undefined));
      await enter(await openConsole(CUSTOMER), FIRST_REASON);
      closeConsole();
      backend.answer('creditCustomer', () => ({ outcome: 'done' }));
      await enter(await openConsole(CUSTOMER), 'Paid twice, says the bank.');
      expect(screen.getByText('An earlier attempt has gone through')).toBeDefined();
      expect(new Set(keys()).size).toBe(1);
    },
  );

  it('is not sent after a reload if it only waited for a proof', { tags: 'long' }, async () => {
    backend.answer('creditCustomer', () => problem('confirmation_required'));
    await enter(await openConsole(CUSTOMER), FIRST_REASON);
    closeConsole();
    backend.answer('creditCustomer', () => ({ outcome: 'done' }));
    await enter(await openConsole(CUSTOMER), 'Paid twice, says the bank.');
    expect(backend.calls('creditCustomer').at(-1)?.body.reason).toBe('Paid twice, says the bank.');
    expect(new Set(keys()).size).toBe(2);
  });

  it('is repeated before another one is sent, which is not sent if it was carried out', async () => {
    const user = await loseAnswer();
    await cancel(user);
    backend.answer('creditCustomer', () => ({ outcome: 'done' }));
    await enter(user, 'Paid twice, says the bank.');
    expect(screen.getByText('An earlier attempt has gone through')).toBeDefined();
    expect(new Set(keys()).size).toBe(1);
    const reasons = backend.calls('creditCustomer').map(({ body }) => body.reason);
    expect(new Set(reasons)).toEqual(new Set([FIRST_REASON]));
  });

  it('gives way to another one once it has been refused', async () => {
    const user = await loseAnswer();
    await cancel(user);
    backend.answer('creditCustomer', ({ body }) =>
      body.reason === FIRST_REASON ? problem('invalid_request') : { outcome: 'done' },
    );
    await enter(user, 'Paid twice, says the bank.');
    expect(new Set(keys()).size).toBe(2);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps its key when a repeat is turned away before it is looked at', async () => {
    const user = await loseAnswer();
    backend.answer('creditCustomer', () => problem('too_many_requests'));
    const give = (): HTMLElement => screen.getByRole('button', { name: 'Give 4.15 ATH' });
    await user.click(give());
    await settle(2_000);
    backend.answer('creditCustomer', () => ({ outcome: 'done' }));
    await user.click(give());
    await settle(2_000);
    expect(new Set(keys()).size).toBe(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('what can be done', () => {
  it('[O-032] stays visible and says why it is disabled, by permission and by state', async () => {
    backend.answer('me', () => staffWith(['finance']));
    const user = await openConsole(CUSTOMER);
    await user.click(screen.getByRole('button', { name: 'Actions' }));
    await settle();
    expect(screen.getByRole('menuitem', { name: /^Sign out everywhere/ }).textContent).toContain(
      'Needs the permission customers.end_sessions',
    );
  });

  it('[O-019] is nothing on my own account', async () => {
    backend.answer('customer', () => customer({ is_own: true }));
    await openConsole(CUSTOMER);
    expect(screen.getByRole('button', { name: 'Place hold' })).toHaveProperty('disabled', true);
    expect(screen.getAllByText(/This is your own account/).length).toBeGreaterThan(0);
  });
});

describe('the timeline', () => {
  it('[O-069] shows all kinds together, and one kind at its address', async () => {
    const user = await openConsole(CUSTOMER);
    const timeline = () => within(screen.getByRole('list', { name: 'Timeline' }));
    expect(timeline().getAllByRole('listitem')).toHaveLength(9);
    const lines = timeline()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(lines[2]).toContain('Sent');
    expect(lines[2]).toContain('−12.50 ATH');
    expect(lines[4]).toContain('Bought 2 × Lemonade');
    expect(lines[4]).toContain('−25.00 ATH');
    expect(lines[5]).toContain('84.15 USD');
    expect(lines[5]).toContain('+500.00 ATH');
    await user.click(screen.getByRole('link', { name: 'Notes' }));
    await settle();
    expect(location.search).toBe('?kind=note');
    expect(timeline().getAllByRole('listitem')).toHaveLength(1);
  });

  it('takes a note, and keeps the typed text when no answer comes', async () => {
    const user = await openConsole(CUSTOMER);
    backend.answer('addNote', () => problem('internal_error'));
    await user.type(screen.getByLabelText('Note'), '<b>Called</b> again.');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await settle(2000);
    expect(screen.getByLabelText('Note')).toHaveProperty('value', '<b>Called</b> again.');
    expect(screen.getByText('No response from the server')).toBeDefined();
    backend.answer('addNote', () => ({ id: '5', at: new Date().toISOString() }));
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await settle();
    expect(screen.getByLabelText('Note')).toHaveProperty('value', '');
    expect(backend.calls('addNote')[0]?.body).toEqual({ text: '<b>Called</b> again.' });
  });
});
