// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { redemption, REDEMPTION_ID } from '@athos/testing/samples/console-purchases';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const REDEMPTION = `/redemptions/${REDEMPTION_ID}`;

it('a venue is chosen by its name', async () => {
  await openConsole('/redemptions?venueId=4');
  const { query } = backend.calls('redemptions').at(-1) ?? {};
  expect(Object.fromEntries(query ?? [])).toEqual({ venue_id: '4' });
  expect(screen.getByRole('button', { name: /Venue.*Sky Bar/ })).toBeDefined();
});

describe('a reversal', () => {
  it(
    '[O-165] says what it makes redeemable, and leaves out what was reversed already',
    { tags: 'long' },
    async () => {
      const user = await openConsole(REDEMPTION);
      await user.click(screen.getByRole('button', { name: 'Reverse' }));
      await settle();
      const dialog = within(screen.getByRole('dialog', { name: 'Reverse a redemption' }));
      expect(dialog.getAllByRole('checkbox')).toHaveLength(2);
      await user.click(dialog.getByRole('checkbox', { name: /70002/ }));
      expect(screen.getByRole('dialog').textContent).toContain(
        'Makes one item worth 32.00 ATH redeemable again.',
      );
      await user.type(dialog.getByLabelText('Reason'), 'The wrong guest was scanned.');
      await user.click(dialog.getByRole('button', { name: 'Reverse 1 item' }));
      await settle();
      expect(backend.calls('reverseRedemption')[0]).toMatchObject({
        params: { id: String(REDEMPTION_ID) },
        body: { item_ids: [70_001], reason: 'The wrong guest was scanned.' },
      });
      expect(screen.getByText('Can be redeemed again.')).toBeDefined();
    },
  );

  it('shows who made an item redeemable, why, and by which request', async () => {
    await openConsole(REDEMPTION);
    expect(screen.getByText('The guest had taken two drinks, not three.')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Request' }).getAttribute('href')).toContain(
      '/console/approvals/',
    );
  });

  it('[O-032] is out of reach without the permission', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    await openConsole(REDEMPTION);
    expect(screen.getByRole('button', { name: 'Reverse' })).toHaveProperty('disabled', true);
    expect(screen.getByText(/Needs the permission redemptions.reverse/)).toBeDefined();
  });

  it('has nothing to do where every item is refunded', async () => {
    const refunded = redemption().items.map((item) => ({ ...item, is_refunded: true }));
    backend.answer('redemption', () => redemption({ items: refunded }));
    await openConsole(REDEMPTION);
    expect(screen.getByText('Every item is reversed or refunded.')).toBeDefined();
  });
});
