// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  closeContactBooks,
  contactBookOf,
  contactsKey,
  CONTACTS_WRITE_DEBOUNCE_MS,
  type Contact,
} from './contacts.ts';

const OWNER = '0192aaaa-0000-7000-8000-000000000001';
const BO: Contact = { alias: 'Bo', address: '0192bbbb-0000-7000-8000-000000000002' };
const CY: Contact = { alias: 'Cy', address: '0192cccc-0000-7000-8000-000000000003' };

const stored = (owner = OWNER): unknown =>
  JSON.parse(localStorage.getItem(contactsKey(owner)) ?? 'null');

/** Simulates a write by another tab. */
function writeInOtherTab(contacts: readonly Contact[]): void {
  localStorage.setItem(contactsKey(OWNER), JSON.stringify(contacts));
  dispatchEvent(new StorageEvent('storage', { key: contactsKey(OWNER) }));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  closeContactBooks();
  localStorage.clear();
  vi.useRealTimers();
});

describe('contacts', () => {
  it('[S3-025] [S3-026] keeps alias and address over a reload', () => {
    contactBookOf(OWNER).add(BO);
    vi.advanceTimersByTime(CONTACTS_WRITE_DEBOUNCE_MS);
    expect(stored()).toEqual([{ alias: 'Bo', address: BO.address }]);
    closeContactBooks();
    expect(contactBookOf(OWNER).get()).toEqual([BO]);
  });

  it('[S3-027] writes 420 ms after the last change and not before', () => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    vi.advanceTimersByTime(419);
    book.add(CY);
    vi.advanceTimersByTime(419);
    expect(stored()).toBeNull();
    vi.advanceTimersByTime(1);
    expect(stored()).toEqual([BO, CY]);
  });

  it('[S3-028] keeps one of two contacts that match in address and alias', () => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    book.add({ ...BO });
    expect(book.get()).toEqual([BO]);
  });

  it('[S3-028] removes duplicates that were stored', () => {
    localStorage.setItem(contactsKey(OWNER), JSON.stringify([BO, CY, BO]));
    expect(contactBookOf(OWNER).get()).toEqual([BO, CY]);
  });

  it.each([
    ['another alias for the same address', { ...BO, alias: 'Bobby' }],
    ['the same alias for another address', { ...CY, alias: 'Bo' }],
  ])('[S3-028] keeps %s', (_name, other) => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    book.add(other);
    expect(book.get()).toEqual([BO, other]);
  });

  it('shows a change at once and notifies its subscribers', () => {
    const book = contactBookOf(OWNER);
    const listener = vi.fn();
    book.subscribe(listener);
    book.add(BO);
    book.remove(BO);
    expect(book.get()).toEqual([]);
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('belongs to the account that made it', () => {
    contactBookOf(OWNER).add(BO);
    expect(contactBookOf(CY.address).get()).toEqual([]);
    expect(contactBookOf(OWNER).get()).toEqual([BO]);
  });

  it('shows what another tab writes', () => {
    const book = contactBookOf(OWNER);
    writeInOtherTab([CY]);
    expect(book.get()).toEqual([CY]);
  });

  it('loses neither change when two tabs change at the same time', () => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    writeInOtherTab([CY]);
    expect(book.get()).toEqual([CY, BO]);
    vi.advanceTimersByTime(CONTACTS_WRITE_DEBOUNCE_MS);
    expect(stored()).toEqual([CY, BO]);
  });

  it('drops pending changes when another tab deleted the account', () => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    localStorage.clear();
    dispatchEvent(new StorageEvent('storage', { key: null }));
    expect(book.get()).toEqual([]);
    vi.advanceTimersByTime(CONTACTS_WRITE_DEBOUNCE_MS);
    dispatchEvent(new Event('pagehide'));
    expect(Object.keys(localStorage)).toEqual([]);
  });

  it('does not bring back what another tab removed', () => {
    const book = contactBookOf(OWNER);
    book.add(BO);
    vi.advanceTimersByTime(CONTACTS_WRITE_DEBOUNCE_MS);
    writeInOtherTab([]);
    book.add(CY);
    vi.advanceTimersByTime(CONTACTS_WRITE_DEBOUNCE_MS);
    expect(stored()).toEqual([CY]);
  });

  it('writes pending changes when the page is closed', () => {
    contactBookOf(OWNER).add(BO);
    dispatchEvent(new Event('pagehide'));
    expect(stored()).toEqual([BO]);
  });

  it.each(['', '{', 'null', '{"alias":"Bo"}', '[1, {"alias": 2, "address": "x"}]'])(
    'starts empty when storage holds unusable text: %s',
    (text) => {
      localStorage.setItem(contactsKey(OWNER), text);
      expect(contactBookOf(OWNER).get()).toEqual([]);
    },
  );
});
