// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFailure, problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID } from '@athos/testing/session';
import { walletAnswers } from '@athos/testing/answers';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { closeApp, currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';
import { contactBookOf, contactsKey, type Contact } from '../../state/contacts.ts';
import { sendDraftOf } from '../../state/send-draft.ts';

const BO: Contact = { alias: 'Bo', address: '0192bbbb-0000-7000-8000-000000000002' };
const CY: Contact = { alias: 'Cy', address: '0192cccc-0000-7000-8000-000000000003' };
const OTHER = '0192dddd-0000-7000-8000-000000000004';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const open = (...saved: Contact[]) => {
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify(saved));
  return openAt('/app/send/recipient');
};

const input = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Recipient' });
const next = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
const reasonOf = (button: HTMLElement) =>
  document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
const contactButton = ({ alias }: Contact) =>
  screen.getByRole('button', { name: new RegExp(`^${alias}`) });
const shownAliases = () => {
  const list = screen.queryByRole('list', { name: 'Contacts' });
  if (list === null) return [];
  return within(list)
    .getAllByRole('button', { name: /^Delete/ })
    .map((button) => button.getAttribute('aria-label')?.replace('Delete ', ''));
};
const addContact = () => screen.queryByRole<HTMLButtonElement>('button', { name: 'ADD CONTACT' });
const draft = () => sendDraftOf(FAKE_UUID).get();

describe('recipient step', () => {
  it('[S2-154] shows the title Recipient', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: 'Recipient' })).toBeDefined();
  });

  it.each([
    ['the arrow', () => screen.getByRole('link', { name: 'Back' })],
    ['the button Back', () => screen.getByRole('button', { name: 'Back' })],
  ])('[S2-155] [S2-162] leads back to /app/send by %s', async (_name, control) => {
    const user = await open();
    await user.click(control());
    expect(currentAddress()).toBe('/app/send');
  });

  it('[S2-156] asks for a name or an address when there are saved contacts', async () => {
    await open(BO);
    expect(screen.getAllByRole('textbox')).toEqual([
      screen.getByPlaceholderText('Enter a name or an address'),
    ]);
  });

  it('[S2-157] asks for an address when there are none', async () => {
    await open();
    expect(screen.getByPlaceholderText('Enter an address')).toBe(input());
    expect(screen.getByText('People you save show up here.')).toBeDefined();
  });
});

describe('Next', () => {
  it('[S2-163] is disabled without an address, with the reason', async () => {
    const user = await open();
    expect(next().disabled).toBe(true);
    expect(reasonOf(next())).toBe('Enter or choose an address to continue.');
    await user.type(input(), OTHER);
    expect(next().disabled).toBe(false);
  });

  it('[S2-162] goes to /app/send/summary with a typed uuid', async () => {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5' });
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(next());
    await pass();
    expect(draft()).toMatchObject({ address: OTHER, name: '', active: false });
    expect(currentAddress()).toBe('/app/send/summary');
  });

  it.each([
    ['what is no uuid', 'Bo', 'This is not a complete account ID.'],
    ['a part of a uuid', OTHER.slice(0, -1), 'This is not a complete account ID.'],
    ['the own uuid', FAKE_UUID, 'This is your own account ID.'],
    ['the own uuid in capitals', FAKE_UUID.toUpperCase(), 'This is your own account ID.'],
  ])('is disabled for %s, with the reason', async (_name, text, reason) => {
    const user = await open();
    await user.type(input(), text);
    expect(next().disabled).toBe(true);
    expect(reasonOf(next())).toBe(reason);
  });

  const errorText = () => screen.queryByRole('alert')?.textContent;

  it.each([
    ['a complete address that is the own', FAKE_UUID, 'This is your own account ID.'],
    ['a complete text that is no uuid', 'x'.repeat(36), 'This is not a complete account ID.'],
  ])('shows the reason at the field for %s', async (_name, text, reason) => {
    const user = await open();
    await user.type(input(), text);
    expect(errorText()).toBe(reason);
    expect(input().getAttribute('aria-invalid')).toBe('true');
  });

  it('shows the reason for an incomplete address at the field once it is left or submitted, and not over a search', async () => {
    const user = await open(BO);
    await user.type(input(), '0192dddd-');
    expect(errorText()).toBe('');
    await user.tab();
    expect(errorText()).toBe('This is not a complete account ID.');
    await user.clear(input());
    await user.type(input(), 'b');
    await user.tab();
    expect(errorText()).toBe('');
    await user.clear(input());
    await user.type(input(), 'bx');
    expect(errorText()).toBe('');
    await user.keyboard('{Enter}');
    expect(errorText()).toBe('This is not a complete account ID.');
    expect(backend.calls('recipient')).toHaveLength(0);
  });

  it('looks the recipient up before the summary, and says at the field that nobody has this address', async () => {
    backend.answer('recipient', () => ({ exists: false, uuid: null }));
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(next());
    await pass();
    expect(backend.calls('recipient').map(({ body }) => body)).toEqual([{ text: OTHER }]);
    expect(currentAddress()).toBe('/app/send/recipient');
    expect(errorText()).toBe('There is no account with this ID.');
    expect(reasonOf(next())).toBe('There is no account with this ID.');
    await user.type(input(), '{Backspace}');
    expect(errorText()).toBe('This is not a complete account ID.');
  });

  it('looks a contact up as well', async () => {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5' });
    const user = await open(BO);
    await user.click(contactButton(BO));
    await user.click(next());
    await pass();
    expect(backend.calls('recipient')[0]?.body).toEqual({ text: BO.address });
    expect(currentAddress()).toBe('/app/send/summary');
  });

  it.each([
    ['too many lookups', () => problem('too_many_requests')],
    ['a server without lookups', () => problem('not_found')],
    ['a lost connection', networkFailure],
  ])('goes on after %s, because the send decides', async (_name, answer) => {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '12.5' });
    backend.answer('recipient', answer);
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(next());
    await pass();
    expect(currentAddress()).toBe('/app/send/summary');
  });

  it('waits for the answer, and stays where the user went meanwhile', async () => {
    let answer: (() => void) | undefined;
    backend.answer('recipient', async ({ body }) => {
      await new Promise<void>((resolve) => (answer = resolve));
      return { exists: true, uuid: body.text };
    });
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(next());
    expect(next().disabled).toBe(true);
    expect(input().readOnly).toBe(true);
    await user.click(screen.getByRole('link', { name: 'Back' }));
    answer?.();
    await pass();
    expect(currentAddress()).toBe('/app/send');
  });

  it('takes the address from a pasted code', async () => {
    const user = await open();
    await user.click(input());
    await user.paste(
      JSON.stringify({ t: 'transfer', d: { a: OTHER, t: 1_795_262_400_000, v: 1 }, s: 'sig' }),
    );
    expect(input().value).toBe(OTHER);
    expect(next().disabled).toBe(false);
  });
});

describe('contacts', () => {
  it('[S2-160] [S2-161] shows alias, address of 15 characters and a delete button', async () => {
    await open(BO, CY);
    const list = screen.getByRole('list', { name: 'Contacts' });
    const [first] = within(list).getAllByRole('listitem');
    expect(within(first as HTMLElement).getByText('Bo')).toBeDefined();
    expect(within(first as HTMLElement).getByText('0192bbbb-0000-7…')).toBeDefined();
    expect(within(list).getByRole('button', { name: 'Delete Bo' })).toBeDefined();
    expect(within(list).getByRole('button', { name: 'Delete Cy' })).toBeDefined();
  });

  it('[S4-059] chooses one on click and fills in the input', async () => {
    const user = await open(BO, CY);
    await user.click(contactButton(BO));
    expect(input().value).toBe('Bo');
    expect(screen.getByText(BO.address)).toBeDefined();
    expect(contactButton(BO).getAttribute('aria-pressed')).toBe('true');
    expect(draft()).toMatchObject({ name: 'Bo', address: BO.address, active: true });
    expect(shownAliases()).toEqual(['Bo', 'Cy']);
    expect(next().disabled).toBe(false);
  });

  it('[S4-060] deselects it on a second click, and clears the draft', async () => {
    const user = await open(BO, CY);
    await user.click(contactButton(BO));
    await user.click(contactButton(BO));
    expect(input().value).toBe('');
    expect(contactButton(BO).getAttribute('aria-pressed')).toBe('false');
    expect(draft()).toMatchObject({ name: '', address: '', active: false });
    expect(next().disabled).toBe(true);
  });

  it('[S4-061] clears the name and takes the typed text as the address', async () => {
    const user = await open(BO, CY);
    await user.click(contactButton(BO));
    await user.clear(input());
    await user.type(input(), 'cy');
    expect(draft()).toMatchObject({ name: '', address: 'cy', active: false });
  });

  it('[S4-062] filters by the typed text', async () => {
    const user = await open(BO, CY);
    await user.type(input(), 'CCCC');
    expect(shownAliases()).toEqual(['Cy']);
    await user.clear(input());
    await user.type(input(), 'b');
    expect(shownAliases()).toEqual(['Bo']);
    await user.type(input(), 'x');
    expect(shownAliases()).toEqual([]);
    expect(screen.getByText('No contact matches.')).toBeDefined();
  });

  it('follows the contacts of another tab', async () => {
    await open(BO);
    localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify([BO, CY]));
    dispatchEvent(new StorageEvent('storage', { key: contactsKey(FAKE_UUID) }));
    await pass();
    expect(shownAliases()).toEqual(['Bo', 'Cy']);
  });
});

describe('adding a contact', () => {
  it('[S2-159] is offered only when the typed text matches no contact', async () => {
    const user = await open(BO);
    expect(addContact()).toBeNull();
    await user.type(input(), BO.address);
    expect(addContact()).toBeNull();
    await user.clear(input());
    await user.type(input(), OTHER);
    expect(addContact()?.disabled).toBe(false);
  });

  it('is disabled until the address is complete, with the reason', async () => {
    const user = await open(BO);
    await user.type(input(), 'Zed');
    expect(addContact()?.disabled).toBe(true);
    expect(reasonOf(addContact() as HTMLElement)).toBe('Only a complete account ID can be saved.');
  });

  it('[S2-164] [S2-165] [S2-166] [S5-040] asks for an alias, with the address read-only', async () => {
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(addContact() as HTMLElement);
    await pass();
    const dialog = within(screen.getByRole('dialog', { name: 'Add Contact' }));
    const alias = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Alias' });
    const address = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Address' });
    const save = () => dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' });
    expect(alias.type).toBe('text');
    expect(address.readOnly).toBe(true);
    expect(address.value).toBe(OTHER);
    expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDefined();
    expect(save().disabled).toBe(true);
    expect(reasonOf(save())).toBe('Enter an alias to save.');
    await user.type(alias, '   ');
    expect(save().disabled).toBe(true);
    await user.type(alias, 'Di ');
    expect(save().disabled).toBe(false);
  });

  it('saves, chooses and keeps the contact over a reload', async () => {
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(addContact() as HTMLElement);
    await pass();
    await user.type(screen.getByRole('textbox', { name: 'Alias' }), 'Di');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await pass(1000);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(input().value).toBe('Di');
    expect(draft()).toMatchObject({ name: 'Di', address: OTHER, active: true });
    expect(document.activeElement).toBe(next());
    closeApp();
    await openAt('/app/send/recipient');
    expect(shownAliases()).toEqual(['Di']);
    expect(input().value).toBe('Di');
  });

  it('saves nothing on Cancel', async () => {
    const user = await open();
    await user.type(input(), OTHER);
    await user.click(addContact() as HTMLElement);
    await pass();
    await user.type(screen.getByRole('textbox', { name: 'Alias' }), 'Di');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await pass(1000);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(contactBookOf(FAKE_UUID).get()).toEqual([]);
    expect(input().value).toBe(OTHER);
  });
});

describe('deleting a contact', () => {
  const ask = async () => {
    const user = await open(BO, CY);
    await user.click(contactButton(BO));
    await user.click(screen.getByRole('button', { name: 'Delete Bo' }));
    await pass();
    return { user, dialog: within(screen.getByRole('dialog')) };
  };

  it('[S2-167] asks for confirmation, with Cancel and Delete', async () => {
    const { user, dialog } = await ask();
    expect(dialog.getByText('Delete "Bo" from contacts list?')).toBeDefined();
    expect(dialog.getByRole('button', { name: 'Delete' })).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await pass(1000);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(shownAliases()).toEqual(['Bo', 'Cy']);
  });

  it('[S8-022] says for 5 s that the address, in 10 characters, was removed', async () => {
    const { user, dialog } = await ask();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await pass(4999);
    expect(screen.getByText('0192bbbb-0… removed from contact list!')).toBeDefined();
    expect(shownAliases()).toEqual(['Cy']);
    await pass(1);
    expect(screen.queryByText(/removed from contact list/)).toBeNull();
  });

  it('deselects a deleted contact', async () => {
    const { user, dialog } = await ask();
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await pass();
    expect(draft()).toMatchObject({ name: '', address: '', active: false });
    expect(next().disabled).toBe(true);
  });

  it('moves the focus to the list afterwards, or back to the button on Cancel', async () => {
    const { user, dialog } = await ask();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await pass(1000);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Delete Bo' }));
    await user.click(screen.getByRole('button', { name: 'Delete Bo' }));
    await pass();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await pass(1000);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Contacts' }));
  });
});
