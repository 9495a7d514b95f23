// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { bulkRun } from '@athos/testing/samples/console-customers';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const REASON = 'Addresses of a leaked list';

async function selectTwo(path = '/customers') {
  const user = await openConsole(path);
  await user.keyboard('jxjx');
  return user;
}

describe('a bulk act', () => {
  it(
    '[O-053] says exactly how many customers it is about before it starts',
    { tags: 'long' },
    async () => {
      backend.answer('previewBulk', () =>
        bulkRun({ state: 'previewed', rows_total: 2, rows_done: 0 }),
      );
      backend.answer('startBulk', () => bulkRun({ state: 'waiting', rows_total: 2, rows_done: 0 }));
      backend.answer('bulkRun', () =>
        bulkRun({ state: 'running', rows_total: 2, rows_done: 1, rows_failed: 0 }),
      );
      const user = await selectTwo();
      await user.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
      await settle();
      await user.type(screen.getByLabelText('Reason'), REASON);
      await user.click(screen.getByRole('button', { name: 'Count' }));
      await settle();
      expect(backend.calls('startBulk')).toHaveLength(0);
      expect(backend.calls('previewBulk').at(-1)?.body).toMatchObject({
        act: { name: 'customer.end_sessions' },
        rows: { ids: [expect.any(String), expect.any(String)] },
        reason: REASON,
      });
      expect(screen.getByText('Ends every session of exactly 2 customers.')).toBeDefined();
      await user.click(screen.getByRole('button', { name: 'Sign out 2 customers' }));
      await settle();
      expect(backend.calls('startBulk').at(-1)?.body).toEqual({ rows_total: 2 });
      expect(screen.getByText('1 of 2 customers')).toBeDefined();
    },
  );

  it('takes all of the filters, but never all of a search', { tags: 'long' }, async () => {
    backend.answer('previewBulk', () => bulkRun({ state: 'previewed' }));
    const user = await selectTwo('/customers?state=open');
    await user.click(screen.getByRole('checkbox', { name: 'All that match' }));
    await user.click(screen.getByRole('button', { name: 'Add notes' }));
    await settle();
    await user.type(screen.getByLabelText('Note'), 'Called back');
    await user.type(screen.getByLabelText('Reason'), REASON);
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await settle();
    expect(backend.calls('previewBulk').at(-1)?.body).toMatchObject({
      act: { name: 'customer.note', text: 'Called back' },
      rows: { filters: { state: 'open' } },
    });
  });

  it('is not offered for all of a search', async () => {
    await selectTwo('/customers?q=maria');
    expect(screen.queryByRole('checkbox', { name: 'All that match' })).toBeNull();
  });

  it('[O-054] lists each customer that failed, with the reason', async () => {
    await openConsole('/bulk/0192eeee-0000-7000-8000-000000000009');
    await settle();
    expect(screen.getByText('2 customers failed')).toBeDefined();
    expect(screen.getByText('This is your own account.')).toBeDefined();
  });

  it('is stopped with what is done in numbers, which then stays on its page', async () => {
    backend.answer('bulkRun', () =>
      bulkRun({ state: 'running', rows_done: 417, rows_failed: 0, finished_at: null }),
    );
    const user = await openConsole('/bulk/0192eeee-0000-7000-8000-000000000009');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Stop this bulk action' }));
    expect(
      dialog.getByText(/for 417 customers so far stays done\. The other 867 are left/),
    ).toBeDefined();
    backend.answer('bulkRun', () => bulkRun({ state: 'stopped', rows_done: 421, rows_failed: 0 }));
    await user.click(dialog.getByRole('button', { name: 'Stop' }));
    await settle();
    expect(backend.calls('stopBulk')[0]?.params).toEqual({
      id: '0192eeee-0000-7000-8000-000000000009',
    });
    expect(screen.getByText('Not reached').nextElementSibling?.textContent).toBe('863');
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  it('is listed with the others that one has started, each with its state', async () => {
    const user = await openConsole('/customers');
    await user.click(screen.getByRole('link', { name: 'Your bulk actions' }));
    await settle();
    const states = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    const shown = (text: RegExp) => states.filter((state) => text.test(state)).length;
    expect(shown(/^Add notesWaiting.*0 of 1,284 customers/)).toBe(1);
    expect(shown(/^Place holdsRunning.*417 of 1,284 customers/)).toBe(1);
    expect(shown(/^Place holdsStopped.*90 of 1,284 customers/)).toBe(1);
    expect(shown(/^Place holdsSome failed.*2 failed/)).toBe(1);
    await user.click(screen.getAllByRole('link', { name: 'Place holds' })[0] as HTMLElement);
    await settle();
    expect(location.pathname).toBe('/console/bulk/0192eeee-0000-7000-8000-000000000002');
  });

  it('says which permission is missing', async () => {
    backend.answer('me', () => staffWith(['finance']));
    await selectTwo();
    expect(screen.getByText(/customers\.end_sessions/)).toBeDefined();
  });
});
