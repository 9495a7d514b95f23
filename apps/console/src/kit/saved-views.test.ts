// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const VIEW = {
  id: '0192eeee-0000-7000-8000-000000000001',
  name: 'Refused',
  search: 'outcome=refused',
};

async function openViews(path: string) {
  const user = await openConsole(path);
  await user.click(screen.getByRole('button', { name: 'Views' }));
  await settle();
  return { user, views: within(screen.getByRole('dialog', { name: 'Views' })) };
}

describe('saved views', () => {
  it('[O-065] show what was saved in place of what the list shows', async () => {
    backend.answer('savedViews', () => ({ items: [VIEW] }));
    const { user, views } = await openViews('/audit?action=staff.roles');
    expect(backend.calls('savedViews').at(-1)?.query.get('list')).toBe('/audit');
    await user.click(views.getByRole('button', { name: 'Refused' }));
    await settle();
    expect(location.search).toBe('?outcome=refused');
    const { query } = backend.calls('auditEntries').at(-1) ?? {};
    expect(query?.get('outcome')).toBe('refused');
    expect(query?.get('action')).toBeNull();
  });

  it('are saved without a search, which may name a customer', async () => {
    backend.answer('saveView', () => VIEW);
    const { user, views } = await openViews('/customers?q=ada%40example.com&state=open');
    await user.type(views.getByLabelText('Save as'), 'Open ones{Enter}');
    await settle();
    expect(backend.calls('saveView').at(-1)?.body).toEqual({
      list: '/customers',
      name: 'Open ones',
      search: 'state=open',
    });
  });

  it('are removed, and say why they were not saved', async () => {
    backend.answer('savedViews', () => ({ items: [VIEW] }));
    backend.answer('removeView', () => ({ success: true }));
    backend.answer('saveView', () => problem('invalid_request'));
    const { user, views } = await openViews('/audit');
    await user.click(views.getByRole('button', { name: 'Remove the view Refused' }));
    await settle();
    expect(backend.calls('removeView')).toHaveLength(1);
    await user.type(views.getByLabelText('Save as'), 'Refused{Enter}');
    await settle();
    expect(views.getAllByRole('alert')[0]?.textContent).not.toBe('');
  });
});
