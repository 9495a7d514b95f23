// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFailure, problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken, STAFF_UUID } from '@athos/testing/session';
import { contactServer, type ContactServer } from '../../test/contact-server.ts';
import { beginTest, endWholeTest, leavePage, settle, startAt } from '../../test/whole-app.tsx';
import { closeApp } from '../../test/signed-in.tsx';
import { contactBookOf, contactsKey, type Contact } from '../state/contacts.ts';
import { signOut } from './sign-out.ts';

const BEN: Contact = { alias: 'Ben', address: '0192bbbb-0000-7000-8000-000000000002' };
const CY: Contact = { alias: 'Cy', address: '0192cccc-0000-7000-8000-000000000003' };
const SPLASH_MS = 1200;
/** The write of the list and the delay of 2 s after it. */
const SYNC_MS = 420 + 2_000;
/** The duration of the calls themselves. */
const CALLS_MS = 20;
/** Longer than all delays between attempts, shorter than the time after which an idle user is signed out. */
const ALL_RETRIES_MS = 240_000;

let backend: FakeBackend;
let server: ContactServer;
beforeEach(() => {
  backend = beginTest();
  server = contactServer();
  serve(server);
});
afterEach(endWholeTest);

function serve({ list, rows, change }: ContactServer): void {
  const now = () => new Date().toISOString();
  backend.answer('contacts', () => ({ server_time: now(), contacts: list() }));
  backend.answer('changeContacts', ({ body }) => {
    if (!change(body.contacts)) return problem('too_many_contacts');
    const contacts = body.contacts.flatMap(({ id }) => rows.get(id) ?? []);
    return { server_time: now(), contacts };
  });
}

const saved = (...contacts: Contact[]): void =>
  localStorage.setItem(contactsKey(FAKE_UUID), JSON.stringify(contacts));

async function start(at = '/app/settings', uuid = FAKE_UUID): Promise<void> {
  localStorage.setItem('jwt', fakeToken(uuid));
  backend.answer('refreshJwt', () => ({ token: fakeToken(uuid), uuid }));
  await startAt(at);
  await settle(SPLASH_MS);
}

/** Simulates a change of contacts on another device of the account. */
const change = (id: string, version: number, contact?: Contact): void => {
  const state = contact === undefined ? 'deleted' : 'live';
  server.change([
    { id, version, state, ...contact } as Parameters<typeof server.change>[0][number],
  ]);
};
const ID = '0192aaaa-0000-7000-8000-000000000001';

const book = () => contactBookOf(FAKE_UUID);
const sentCount = (): number => backend.calls('changeContacts').length;

describe('contacts', () => {
  it('[W-084] of this device are told to the server, and those of other devices are shown', async () => {
    saved(BEN);
    change(ID, 1, CY);
    await start('/app/send/recipient');
    expect(book().get()).toEqual([BEN, CY]);
    expect(server.pairs()).toEqual([BEN, CY].map((one) => `${one.alias} ${one.address}`));
    const list = within(screen.getByRole('list', { name: 'Contacts' }));
    expect(list.getByRole('button', { name: /^Cy/ })).toBeDefined();
  });

  it('[S3-027] are written here first, and sent 2 s after that', async () => {
    await start();
    book().add(BEN);
    await settle(SYNC_MS - 1);
    expect(JSON.parse(localStorage.getItem(contactsKey(FAKE_UUID)) ?? '')).toEqual([BEN]);
    expect(sentCount()).toBe(0);
    await settle(1 + CALLS_MS);
    expect(sentCount()).toBe(1);
    expect(server.pairs()).toHaveLength(1);
  });

  it('that another device has deleted are gone here', async () => {
    saved(BEN, CY);
    await start();
    const [row] = server.list();
    change(row?.id ?? '', 2);
    leavePage();
    closeApp();
    await start();
    expect(book().get()).toEqual([CY]);
  });

  it('deleted before the app was ready are deleted on other devices as well', async () => {
    saved(BEN, CY);
    await start();
    leavePage();
    closeApp();
    book().remove(BEN);
    book().flush();
    await start();
    expect(server.pairs()).toEqual([`Cy ${CY.address}`]);
  });

  it('are asked for when their screen opens, and when the page is looked at again', async () => {
    await start('/app/send/recipient');
    const before = backend.calls('contacts').length;
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(backend.calls('contacts')).toHaveLength(before);
    await settle(5_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(backend.calls('contacts')).toHaveLength(before + 1);
  });

  it('that are not changed are not sent again', async () => {
    saved(BEN);
    await start();
    const before = sentCount();
    for (let visit = 0; visit < 3; visit += 1) {
      await settle(10_000);
      document.dispatchEvent(new Event('visibilitychange'));
    }
    await settle(SYNC_MS + CALLS_MS);
    expect([before, sentCount()]).toEqual([1, 1]);
  });

  it('that a look-alike resembles may come from another device', async () => {
    change(ID, 1, CY);
    backend.answer('pastSends', () => ({ is_first_time: true, looks_like: null }));
    await start('/app/send/recipient');
    const { userEvent } = await import('@testing-library/user-event');
    const user = userEvent.setup({ delay: null });
    const other = `${CY.address.slice(0, 9)}aaaa-4d55-8a31-0b7c2d4f6e19`;
    await user.click(screen.getByRole('textbox', { name: 'Recipient' }));
    await user.paste(other);
    await settle();
    expect(screen.getByText('This address looks like one you know')).toBeDefined();
  });
});

describe('without an answer', () => {
  it('contacts stay here, three more attempts follow, and then the next change tries again', async () => {
    saved(BEN);
    backend.answer('contacts', () => problem('internal_error'));
    await start();
    // The client itself retries a failed read twice.
    const attempts = () => backend.calls('contacts').length / 3;
    await settle(ALL_RETRIES_MS);
    expect(attempts()).toBe(4);
    expect(book().get()).toEqual([BEN]);
    serve(server);
    book().add(CY);
    await settle(SYNC_MS + CALLS_MS);
    expect(server.pairs()).toHaveLength(2);
  });

  it('to a change the same rows are sent again, so nothing is there twice', async () => {
    saved(BEN);
    let isLost = true;
    backend.answer('changeContacts', ({ body }) => {
      server.change(body.contacts);
      if (isLost) return networkFailure();
      return { server_time: new Date().toISOString(), contacts: [] };
    });
    await start();
    expect(book().get()).toEqual([BEN]);
    isLost = false;
    await settle(10_000);
    expect(server.list()).toHaveLength(1);
    expect(book().get()).toEqual([BEN]);
  });

  it('of a network contacts are kept, and sent when it is back', async () => {
    await start();
    backend.answer('contacts', networkFailure);
    dispatchEvent(new Event('offline'));
    book().add(BEN);
    await settle(60_000);
    expect(server.pairs()).toEqual([]);
    expect(book().get()).toEqual([BEN]);
    serve(server);
    await settle(10_000);
    expect(server.pairs()).toHaveLength(1);
  });

  it('for want of room nothing is lost, and the server is asked four times', async () => {
    saved(BEN);
    backend.answer('changeContacts', () => problem('too_many_contacts'));
    await start();
    await settle(ALL_RETRIES_MS);
    expect(sentCount()).toBe(4);
    expect(book().get()).toEqual([BEN]);
  });
});

describe('two accounts on one device', () => {
  it('never mix their contacts', async () => {
    saved(BEN);
    await start();
    signOut();
    await settle();
    leavePage();
    closeApp();
    const [first, second] = [server, contactServer()];
    serve(second);
    await start('/app/settings', STAFF_UUID);
    contactBookOf(STAFF_UUID).add(CY);
    await settle(SYNC_MS + CALLS_MS);
    expect(second.pairs()).toEqual([`Cy ${CY.address}`]);
    expect(first.pairs()).toEqual([`Ben ${BEN.address}`]);
    expect(book().get()).toEqual([BEN]);
  });

  it('another one signs in during an answer: nothing of it is kept or sent', async () => {
    saved(BEN);
    let answer: (() => void) | undefined;
    backend.answer(
      'contacts',
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ server_time: new Date().toISOString(), contacts: [] });
        }),
    );
    await start();
    // The session changes in another tab, and this one has not noticed yet.
    localStorage.setItem('jwt', fakeToken(STAFF_UUID));
    answer?.();
    await settle(1_000);
    expect(sentCount()).toBe(0);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('contacts-'))).toEqual([]);
  });
});

describe('contacts that the server cannot open', () => {
  it('are named, and can be deleted after a question', async () => {
    server.rows.set(ID, { id: ID, version: 1, state: 'unreadable' });
    change('0192aaaa-0000-7000-8000-000000000009', 1, BEN);
    await start('/app/send/recipient');
    expect(book().get()).toEqual([BEN]);
    expect(screen.getByText('1 contact cannot be read')).toBeDefined();
    screen.getByRole('button', { name: 'Delete what cannot be read' }).click();
    await settle(6_000);
    const dialog = within(screen.getByRole('dialog', { name: 'Delete what cannot be read?' }));
    dialog.getByRole('button', { name: 'Delete' }).click();
    await settle(6_000);
    expect(server.rows.get(ID)).toEqual({ id: ID, version: 2, state: 'deleted' });
    expect(screen.queryByText('1 contact cannot be read')).toBeNull();
    expect(book().get()).toEqual([BEN]);
  });

  it('are written again by a device that has them', async () => {
    saved(BEN);
    await start();
    const [row] = server.list();
    const id = row?.id ?? '';
    server.rows.set(id, { id, version: 1, state: 'unreadable' });
    await settle(10_000);
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(server.rows.get(id)).toEqual({ id, version: 2, state: 'live', ...BEN });
  });
});
