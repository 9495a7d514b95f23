// @vitest-environment jsdom
import { queryClient } from '@athos/app-core/query-client';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { consoleAnswers, staffWith } from '@athos/testing/samples/console';
import { problem } from '@athos/testing/fake-api';
import {
  CATEGORY_ID,
  consoleOffer,
  draftOffer,
  OFFER_ID,
} from '@athos/testing/samples/console-catalogue';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';
import { placeAfter, placeOfDrop } from './category-places.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const OFFER = `/offers/${OFFER_ID}`;

describe('an offer', () => {
  it.each([OFFER, '/offers/new'])(
    'at %s says that its choices cannot be read, and asks again',
    async (path) => {
      backend.answer('offerChoices', () => problem('internal_error'));
      const user = await openConsole(path);
      await settle(5_000);
      expect(screen.getByText('This could not be loaded')).toBeDefined();
      backend.answer('offerChoices', consoleAnswers.offerChoices ?? (() => problem('not_found')));
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      await settle();
      expect(screen.queryByText('This could not be loaded')).toBeNull();
    },
  );
});

describe('the tree', () => {
  it('[O-163] is ordered with Alt and the arrow keys, and keeps the focus', async () => {
    const user = await openConsole('/categories');
    const coffee = screen.getByRole('link', { name: 'Coffee' });
    coffee.focus();
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await settle();
    expect(backend.calls('moveCategory')[0]).toMatchObject({
      params: { id: '4' },
      body: { parent_id: 1, before_id: CATEGORY_ID },
    });
    expect(document.activeElement?.textContent).toBe('Coffee');
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await settle();
    expect(backend.calls('moveCategory')[1]?.body).toEqual({ parent_id: null, before_id: 2 });
  });

  it('is ordered by drag', async () => {
    await openConsole('/categories');
    const row = (name: string) => screen.getByRole('link', { name }).parentElement as HTMLElement;
    fireEvent.dragStart(row('Coffee'));
    fireEvent.dragOver(row('Nights and events'));
    fireEvent.drop(row('Nights and events'));
    await settle();
    expect(backend.calls('moveCategory')).toHaveLength(1);
    fireEvent.dragStart(row('Drinks'));
    fireEvent.drop(row('Coffee'));
    await settle();
    expect(backend.calls('moveCategory')).toHaveLength(1);
  });

  it('knows the place of each step and drop', () => {
    const items = [
      { id: 1, parentId: null },
      { id: 3, parentId: 1 },
      { id: 4, parentId: 1 },
      { id: 2, parentId: null },
    ];
    expect(placeAfter(items, 3, 'up')).toBeUndefined();
    expect(placeAfter(items, 3, 'down')).toEqual({ parentId: 1, beforeId: null });
    expect(placeAfter(items, 4, 'in')).toEqual({ parentId: 3, beforeId: null });
    expect(placeAfter(items, 2, 'out')).toBeUndefined();
    const [target = { id: 0, parentId: null }] = items;
    expect(placeOfDrop(items, target, 'before')).toEqual({ parentId: null, beforeId: 1 });
    expect(placeOfDrop(items, target, 'inside')).toEqual({ parentId: 1, beforeId: null });
    expect(placeOfDrop(items, target, 'after')).toEqual({ parentId: null, beforeId: 2 });
  });
});

describe('an offer', () => {
  it('[O-082] shows what its unpublished changes would change', async () => {
    await openConsole(OFFER);
    const section = within(screen.getByRole('region', { name: 'Unpublished changes' }));
    const price = section.getByRole('row', { name: /^Price 32.00 ATH 38.50 ATH$/ });
    expect(price).toBeDefined();
    expect(section.queryByRole('row', { name: /^Category/ })).toBeNull();
  });

  it('[O-083] shows its draft with the wallet’s card and page, in both themes and for a tier', async () => {
    const user = await openConsole(OFFER);
    const preview = screen.getByRole('region', { name: 'Preview of Amber Fizz, 0.5 l' });
    expect(within(preview).getByRole('heading', { name: 'Amber Fizz, 0.5 l' })).toBeDefined();
    expect(preview.textContent).toContain('now in the large bottle');
    expect(preview.querySelector('.scheme-light')).not.toBeNull();
    expect(preview.textContent).toContain('This offer is for Silver tier and above.');
    await user.selectOptions(screen.getByLabelText('For a customer of tier'), 'Gold');
    expect(preview.textContent).not.toContain('This offer is for Silver tier and above.');
    await user.selectOptions(screen.getByLabelText('Theme'), 'Dark');
    expect(preview.querySelector('.scheme-dark')).not.toBeNull();
    await user.selectOptions(screen.getByLabelText('Version'), 'As published');
    expect(within(preview).getByRole('heading', { name: 'Amber Fizz, 0.33 l' })).toBeDefined();
  });

  it('is saved as typed, with its price windows in the programme’s time zone', async () => {
    backend.answer('consoleOffer', draftOffer);
    const user = await openConsole(OFFER);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await settle();
    const price = screen.getByLabelText('Price');
    await user.clear(price);
    await user.type(price, '12.5');
    await user.click(screen.getByRole('button', { name: 'Add a price window' }));
    const window = within(screen.getByRole('group', { name: 'Price window 1' }));
    expect(screen.getByText('Enter a price such as 12.50.')).toBeDefined();
    await user.type(window.getByLabelText('Price'), '9');
    fireEvent.change(window.getByLabelText('From'), { target: { value: '2026-12-01T18:00' } });
    fireEvent.change(window.getByLabelText('Until'), { target: { value: '2026-12-01T20:00' } });
    await user.click(screen.getByRole('button', { name: 'Save draft' }));
    await settle();
    expect(backend.calls('saveOffer')[0]?.body).toMatchObject({
      price: '12500000',
      price_windows: [
        {
          price: '9000000',
          starts_at: '2026-12-01T18:00:00.000Z',
          ends_at: '2026-12-01T20:00:00.000Z',
        },
      ],
    });
  });

  it('[O-050] shows both sides when somebody else has saved it, and keeps what was typed', async () => {
    const theirs = consoleOffer({ version: 9 });
    backend.answer('saveOffer', () =>
      problem('version_conflict', {
        present: {
          ...theirs,
          draft: theirs.draft && {
            ...theirs.draft,
            fields: { ...theirs.draft.fields, title: 'Theirs' },
          },
        },
      }),
    );
    const user = await openConsole(OFFER);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await settle();
    const title = screen.getByLabelText('Title');
    await user.clear(title);
    await user.type(title, 'Mine');
    await user.click(screen.getByRole('button', { name: 'Save draft' }));
    await settle();
    expect(screen.getByRole('row', { name: /Title Theirs Mine/ })).toBeDefined();
    expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Mine');
    backend.answer('saveOffer', () => consoleOffer({ version: 10 }));
    await user.click(screen.getByRole('button', { name: /Keep/ }));
    await settle();
    expect(backend.calls('saveOffer').at(-1)?.headers?.get('if-match')).toBe('"9"');
  });

  it('[O-050] finds the other’s save also if the offer was read again meanwhile', async () => {
    backend.answer('consoleOffer', () => consoleOffer({ version: 8 }));
    const user = await openConsole(OFFER);
    await user.click(screen.getByRole('button', { name: 'Edit' }));
    await settle();
    backend.answer('consoleOffer', () => consoleOffer({ version: 9 }));
    await queryClient.invalidateQueries();
    await settle();
    await user.type(screen.getByLabelText('Title'), ' of mine');
    await user.click(screen.getByRole('button', { name: 'Save draft' }));
    await settle();
    expect(backend.calls('saveOffer').at(-1)?.headers.get('if-match')).toBe('"8"');
  });

  it('tells an editor that somebody else has to agree', async () => {
    backend.answer('me', () => staffWith(['catalogue_editor']));
    const user = await openConsole(OFFER);
    await user.click(screen.getByRole('button', { name: 'Publish' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Publish' });
    expect(dialog.textContent).toContain('Amber Fizz, 0.5 l for 38.50 ATH within 10 seconds');
    expect(dialog.textContent).toContain('Someone else must approve');
  });

  it('is out of reach without the permission', async () => {
    backend.answer('me', () => staffWith(['support']));
    await openConsole(OFFER);
    for (const name of ['Edit', 'Publish', 'Count']) {
      expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true);
    }
  });
});

it('a count names what was shown when it began', { tags: 'long' }, async () => {
  const user = await openConsole(OFFER);
  await user.click(screen.getByRole('button', { name: 'Count' }));
  await settle();
  const dialog = within(screen.getByRole('dialog', { name: 'Count' }));
  await user.type(dialog.getByLabelText('Counted as left'), '17');
  await user.type(dialog.getByLabelText('Reason'), 'Counted by two people');
  await user.click(dialog.getByRole('button', { name: 'Count' }));
  await settle();
  expect(backend.calls('changeStock')[0]?.body).toEqual({
    kind: 'count',
    left: 17,
    seen: 18,
    reason: 'Counted by two people',
  });
});
