// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryItem } from '@athos/contract/wallet/history';
import { walletAnswers } from '@athos/testing/answers';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { currentQuery, endTest, openAt } from '../../../test/signed-in.tsx';
import { paths } from '../../routes/paths.ts';

const sent = (id: number): HistoryItem => ({
  type: 'Send',
  data: {
    id,
    date: '2026-11-05T18:05:00.000Z',
    amount: '5000001',
    asset: 'ATH',
    counterparty: '0192bbbb-0000-7000-8000-000000000002',
  },
});

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
  backend.answer('allHistory', () => ({ history: [sent(1)], next_cursor: null }));
});
afterEach(endTest);

const lastQuery = () => Object.fromEntries(backend.calls('allHistory').at(-1)?.query ?? []);

describe('notes', () => {
  const movement = sent(7);
  const wordsIn = (query: string) => new URLSearchParams(query).get('q');
  let user: Awaited<ReturnType<typeof openAt>>;
  const edit = async () => {
    backend.answer('historyItem', () => movement);
    user = await openAt(paths.historyItem(7));
    await press('Add a note');
  };
  const press = async (name: string) => {
    await user.click(screen.getByRole('button', { name }));
    await pass();
  };
  const type = async (name: string, text: string) => {
    await user.type(screen.getByRole('textbox', { name }), text);
  };

  it('are saved with their labels, each once, and shown at the movement', async () => {
    backend.answer('noteMovement', () => ({ note: '', labels: [] }));
    await edit();
    await type('Note', ' Half of the rent ');
    await type('Labels', 'Home, rent , home,, ');
    backend.answer('movementNotes', () => ({
      notes: [{ movement_id: 7, note: 'Half of the rent', labels: ['Home', 'rent'] }],
    }));
    await press('Save');
    expect(backend.calls('noteMovement').at(-1)?.body).toEqual({
      note: 'Half of the rent',
      labels: ['home', 'rent'],
    });
    await pass();
    expect(screen.getByText('Half of the rent')).toBeTruthy();
    expect(within(screen.getByRole('list', { name: 'Labels' })).getByText('rent')).toBeTruthy();
  });

  it.each(['Save', 'Cancel'])('give the focus back to what opened them on %s', async (end) => {
    backend.answer('noteMovement', () => ({ note: '', labels: [] }));
    await edit();
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Note' }));
    await press(end);
    await pass();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add a note' }));
  });

  it('with too many labels or one that is too long are not sent', async () => {
    await edit();
    await type('Labels', 'a,b,c,d,e,f');
    expect(screen.getByText('At most 5 labels').getAttribute('role')).toBe('alert');
    await press('Save');
    await user.clear(screen.getByRole('textbox', { name: 'Labels' }));
    await type('Labels', 'x'.repeat(25));
    expect(screen.getByText('A label has at most 24 characters')).toBeTruthy();
    await press('Save');
    expect(backend.calls('noteMovement')).toEqual([]);
  });

  it('filter the list by words, once the typing pauses, and by label', async () => {
    backend.answer('movementNotes', () => ({
      notes: [{ movement_id: 1, note: 'rent', labels: ['Home'] }],
    }));
    user = await openAt(`${paths.history}?type=Send`);
    await user.type(screen.getByRole('searchbox', { name: /Search your notes/ }), 'rent');
    expect(wordsIn(currentQuery())).toBeNull();
    await pass(400);
    expect(wordsIn(currentQuery())).toBe('rent');
    expect(lastQuery()).toMatchObject({ type: 'Send', q: 'rent' });
    await user.click(screen.getByRole('radio', { name: 'Home' }));
    await pass();
    expect(lastQuery()).toMatchObject({ q: 'rent', label: 'Home' });
  });
});
