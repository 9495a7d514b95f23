// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { ownPayLink, ownProfile } from '@athos/testing/samples/profile';
import { endTest, openAt } from '../../../test/signed-in.tsx';

const AT = '/app/settings/profile';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const bodies = (call: Parameters<FakeBackend['calls']>[0]) =>
  backend.calls(call).map(({ body }) => body);
const saveBeside = (label: string): HTMLElement => {
  const form = screen.getByLabelText(label).closest('form');
  if (form === null) throw new Error(`${label} is in no form`);
  return within(form).getByRole('button', { name: 'Save' });
};

describe('Profile', () => {
  it('saves a name, and shows it to others only once that is ticked', async () => {
    backend.answer('setDisplayName', () => ({ ...ownProfile, display_name: 'Ada L' }));
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Display name'), 'Ada L');
    await user.click(saveBeside('Display name'));
    await pass();
    expect(bodies('setDisplayName')).toEqual([{ display_name: 'Ada L', shows_name: false }]);
    expect(screen.getByText('Saved')).toBeDefined();
  });

  it('shows the initial beside a name that is stored', async () => {
    backend.answer('publicProfile', () => ({ ...ownProfile, display_name: 'ada L' }));
    await openAt(AT);
    expect(screen.getByText('A')).toBeDefined();
  });

  it('shows why a name was refused, beside it', async () => {
    const detail = 'This name could be taken for the programme, its provider or their support.';
    backend.answer('setDisplayName', () => problem('invalid_request', { detail }));
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Display name'), 'Support');
    await user.click(saveBeside('Display name'));
    await pass();
    const field = screen.getByRole('textbox', { name: 'Display name' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(detail)).toBeDefined();
  });

  it('gives a handle up when it is emptied', async () => {
    backend.answer('publicProfile', () => ({ ...ownProfile, handle: 'ada_l' }));
    backend.answer('setHandle', () => ownProfile);
    const user = await openAt(AT);
    await user.clear(screen.getByLabelText('Handle'));
    await user.click(saveBeside('Handle'));
    await pass();
    expect(bodies('setHandle')).toEqual([{ handle: null, is_findable: true }]);
  });

  it.each([
    ['handle_taken', 'Somebody has this handle, or one that looks like it.'],
    ['handle_changed_lately', 'A handle can be changed once in 30 days.'],
    ['too_many_requests', 'You have tried as many as you can today. Try again tomorrow.'],
  ] as const)('says what %s means', async (code, text) => {
    backend.answer('setHandle', () => problem(code));
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Handle'), 'ada_l');
    await user.click(saveBeside('Handle'));
    await pass();
    expect(screen.getByText(text)).toBeDefined();
  });
});

describe('Pay links', () => {
  it('are made with an amount in units and a note', async () => {
    backend.answer('makePayCode', () => ownPayLink);
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Label'), 'Rent');
    await user.type(screen.getByLabelText('Amount (optional)'), '12.5');
    await user.type(screen.getByLabelText('Note for who pays (optional)'), 'For May');
    backend.answer('payCodes', () => ({ pay_codes: [ownPayLink] }));
    await user.click(screen.getByRole('button', { name: 'Make link' }));
    await pass();
    expect(bodies('makePayCode')).toEqual([{ label: 'Rent', amount: '12500000', note: 'For May' }]);
    expect(screen.getByText('12.50 ATH · For May')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Label').value).toBe('');
  });

  it('are not made with an amount that is none', async () => {
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Label'), 'Rent');
    await user.type(screen.getByLabelText('Amount (optional)'), '0');
    await user.click(screen.getByRole('button', { name: 'Make link' }));
    await pass();
    expect(bodies('makePayCode')).toEqual([]);
    expect(screen.getByText('Enter an amount above 0, such as 12.50.')).toBeDefined();
  });

  it('keep what was typed when there are too many', async () => {
    backend.answer('makePayCode', () => problem('too_many_pay_codes'));
    const user = await openAt(AT);
    await user.type(screen.getByLabelText('Label'), 'Rent');
    await user.click(screen.getByRole('button', { name: 'Make link' }));
    await pass();
    expect(screen.getByText('You have 20 links. End one first.')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Label').value).toBe('Rent');
  });

  it('are shown as a code, and ended', async () => {
    backend.answer('payCodes', () => ({ pay_codes: [ownPayLink] }));
    const user = await openAt(AT);
    await user.click(screen.getByRole('button', { name: 'Show code of Rent' }));
    expect(screen.getByRole('img', { name: 'Pay code: Rent' })).toBeDefined();
    expect(screen.getByText(ownPayLink.link)).toBeDefined();
    backend.answer('payCodes', () => ({ pay_codes: [] }));
    await user.click(screen.getByRole('button', { name: 'End Rent' }));
    await pass();
    expect(backend.calls('endPayCode').map(({ params }) => params)).toEqual([
      { id: ownPayLink.id },
    ]);
    expect(screen.queryByText('Rent')).toBeNull();
  });
});
