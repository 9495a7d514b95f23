// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { problem } from '@athos/testing/fake-api';
import { staffWith } from '@athos/testing/samples/console';
import { consoleTiers } from '@athos/testing/samples/console-tiers';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const rowsOf = (): (string | null)[][] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
const type = (label: string, index: number, value: string): void => {
  const field = screen.getAllByLabelText(label)[index];
  if (field === undefined) throw new Error(`no field ${label} ${index}`);
  fireEvent.change(field, { target: { value } });
};

/** Thousands of customers hold 1,000 ATH or more, of whom some hundred hold less than 2,500. */
const HOLDERS: Readonly<Record<string, number>> = {
  '0': 9_000,
  '100000000': 4_000,
  '1000000000': 1_200,
  '2500000000': 900,
  '10000000000': 300,
  '100000000000': 7,
};

describe('/tiers', () => {
  beforeEach(() => {
    backend.answer('tierHolders', ({ query }) => ({
      counted_at: '2026-11-22T02:17:00.000Z',
      items: (query.get('amounts') ?? '').split(',').map((amount) => ({
        amount,
        count: HOLDERS[amount] ?? 0,
        is_exact: true,
      })),
    }));
  });

  it(
    'says who would move while thresholds are typed, and asks for the change with a reason',
    { tags: 'long' },
    async () => {
      const user = await openConsole('/tiers');
      expect(rowsOf()).toEqual([
        ['Onyx', '7'],
        ['Gold', '293'],
        ['Silver', '900'],
        ['Bronze', '2,800'],
        ['No tier', '5,000'],
      ]);
      await user.click(button('Change the tiers'));
      await settle();
      type('Threshold in ATH', 2, '2,500');
      await settle();
      expect(rowsOf()[2]).toEqual(['Silver', '900', '600', '−300']);
      expect(rowsOf()[3]).toEqual(['Bronze', '2,800', '3,100', '+300']);
      expect(screen.getByText('300 from Silver to Bronze')).toBeDefined();

      await user.click(button('Request the change'));
      await settle();
      const dialog = within(screen.getByRole('dialog'));
      expect(dialog.getByText(/With another tier than today: 300\./)).toBeDefined();
      await user.type(dialog.getByLabelText('Reason'), 'Silver was too easy to reach');
      await user.click(dialog.getByRole('button', { name: 'Request the change' }));
      await settle();
      const [sent] = backend.calls('changeTiers');
      expect(sent?.headers.get('if-match')).toBe('"4"');
      expect(sent?.body).toMatchObject({
        reason: 'Silver was too easy to reach',
        tiers: [
          { id: 1, title: 'Bronze', amount: '100000000' },
          { id: 2, title: 'Silver', amount: '2500000000' },
          { id: 3, title: 'Gold', amount: '10000000000' },
          { id: 4, title: 'Onyx', amount: '100000000000' },
        ],
      });
    },
  );

  it(
    'marks thresholds out of order, titles that are taken and colours on which nothing can be read',
    { tags: 'long' },
    async () => {
      const user = await openConsole('/tiers');
      await user.click(button('Change the tiers'));
      await settle();
      expect(button('Request the change').hasAttribute('disabled')).toBe(true);
      type('Threshold in ATH', 2, '50');
      expect(screen.getByText('Must be above the 100.00 ATH of Bronze.')).toBeDefined();
      type('Threshold in ATH', 2, '1000.005');
      expect(screen.getByText(/at most two decimals/)).toBeDefined();
      type('Threshold in ATH', 2, '1000');
      type('Colour', 1, '#767676');
      expect(screen.getByText(/Neither dark nor light text/)).toBeDefined();
      type('Colour', 1, '#d9a935');
      type('Title', 1, 'Silver ');
      expect(screen.getAllByText('Another tier has this title.')).toHaveLength(2);
      expect(screen.getByText('Correct the marked fields first.')).toBeDefined();
    },
  );

  it(
    'adds a tier between two others, and removes one that nothing names',
    { tags: 'long' },
    async () => {
      const user = await openConsole('/tiers');
      await user.click(button('Change the tiers'));
      await settle();
      expect(button('Remove Silver').hasAttribute('disabled')).toBe(true);
      await user.click(button('Remove Onyx'));
      await user.click(button('Add a tier below Gold'));
      type('Title', 1, 'Platinum');
      type('Threshold in ATH', 1, '2500');
      await settle();
      expect(rowsOf().map(([title]) => title)).toEqual([
        'Gold',
        'Platinum',
        'Silver',
        'Bronze',
        'Onyx (removed)',
        'No tier',
      ]);
      await user.click(button('Request the change'));
      await settle();
      await user.type(screen.getByLabelText('Reason'), 'One more between the two');
      await user.click(
        within(screen.getByRole('dialog')).getByText('Request the change', {
          selector: 'button *, button',
        }),
      );
      await settle();
      const body = backend.calls('changeTiers')[0]?.body as { tiers: { id: unknown }[] };
      expect(body.tiers.map(({ id }) => id)).toEqual([1, 2, null, 3]);
    },
  );

  it('shows both versions after somebody else has changed the tiers, and keeps what was typed', async () => {
    const user = await openConsole('/tiers');
    await user.click(button('Change the tiers'));
    await settle();
    type('Note', 3, 'Two free drinks');
    const present = consoleTiers({ version: 5 });
    backend.answer('changeTiers', () => problem('version_conflict', { present }));
    await user.click(button('Request the change'));
    await settle();
    await user.type(screen.getByLabelText('Reason'), 'As the members asked');
    await user.click(
      within(screen.getByRole('dialog')).getByText('Request the change', {
        selector: 'button *, button',
      }),
    );
    await settle();
    await user.click(button('Keep mine'));
    expect(screen.getAllByLabelText('Note')[3]).toHaveProperty('value', 'Two free drinks');
  });

  it('shows no counts to those who see no money, and no editing to those who may not', async () => {
    backend.answer('me', () => staffWith(['catalogue_editor']));
    await openConsole('/tiers');
    expect(screen.queryAllByRole('row')).toEqual([]);
    expect(button('Change the tiers').hasAttribute('disabled')).toBe(true);
    expect(backend.calls('tierHolders')).toEqual([]);
  });
});
