// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { campaign, CAMPAIGN_ID } from '@athos/testing/samples/console-campaigns';
import { staffWith } from '@athos/testing/samples/console';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  backend.answer('me', () => staffWith(['brand_manager']));
});
afterEach(endTest);

const CAMPAIGN = `/campaigns/${CAMPAIGN_ID}`;
const REASON = 'For the bottles of the summer';
const button = (name: string | RegExp) => screen.getByRole('button', { name });

async function choose(user: Awaited<ReturnType<typeof openConsole>>, index: number, name: string) {
  const menu = screen.getAllByRole('button', { name: 'Actions' })[index];
  if (menu === undefined) throw new Error(`there is no menu ${index}`);
  await user.click(menu);
  await settle();
  await user.click(screen.getByRole('menuitem', { name }));
  await settle();
}

describe('a new campaign', () => {
  it('sends its terms in the units and the time of the wire', { tags: 'long' }, async () => {
    const user = await openConsole('/campaigns');
    await user.click(button('New campaign'));
    await settle();
    expect(screen.getByText('Give it a title.')).toBeDefined();
    await user.type(screen.getByLabelText('Title'), 'Autumn');
    await user.type(screen.getByLabelText('Each claim gives, in ATH'), '12.5');
    fireEvent.change(screen.getByLabelText(/^Begins/), { target: { value: '2026-12-01T10:00' } });
    fireEvent.change(screen.getByLabelText(/^Ends/), { target: { value: '2026-12-01T09:00' } });
    expect(screen.getByText('Choose when it begins, and a later end.')).toBeDefined();
    fireEvent.change(screen.getByLabelText(/^Ends/), { target: { value: '2026-12-24T18:30' } });
    await user.type(screen.getByLabelText('Claims of all customers, at most'), '1000');
    await user.selectOptions(screen.getByLabelText('Audience'), 'A tier and above');
    await settle();
    expect(screen.getAllByText('Choose a tier.').length).toBeGreaterThan(0);
    await user.selectOptions(screen.getByLabelText('Tier'), 'Gold');
    await user.click(button('Save'));
    await settle();
    expect(backend.calls('createCampaign')[0]?.body).toEqual({
      title: 'Autumn',
      amount: '12500000',
      starts_at: '2026-12-01T10:00:00.000Z',
      ends_at: '2026-12-24T18:30:00.000Z',
      claim_count_max: 1000,
      user_claim_count_max: null,
      audience: { kind: 'tier', tier_id: 3 },
    });
  });
});

describe('a campaign', () => {
  it('keeps its amount and audience once it has a budget, and says so', async () => {
    const user = await openConsole(CAMPAIGN);
    await choose(user, 0, 'Edit');
    expect(screen.getByLabelText('Each claim gives, in ATH')).toHaveProperty('disabled', true);
    expect(screen.queryByLabelText('Audience')).toBeNull();
    expect(screen.getByText(/stay as they are once/)).toBeDefined();
    await user.click(button('Save'));
    await settle();
    const { body, headers } = backend.calls('changeCampaign')[0] ?? {};
    const { title, amount, starts_at, audience } = campaign();
    expect(body).toMatchObject({ title, amount, audience });
    expect(Date.parse((body as { starts_at: string }).starts_at)).toBe(Date.parse(starts_at));
    expect(headers?.get('if-match')).toBe('"3"');
  });

  it('asks for a budget, which somebody else has to approve', { tags: 'long' }, async () => {
    const user = await openConsole(CAMPAIGN);
    await choose(user, 0, 'Add budget');
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Budget to add, in ATH'), '5000');
    expect(screen.getByRole('dialog').textContent).toContain('enough for 200 claims');
    await user.type(dialog.getByLabelText('Reason'), REASON);
    await user.click(dialog.getByRole('button', { name: 'Request 5,000.00 ATH' }));
    await settle();
    expect(backend.calls('fundCampaign')[0]?.body).toEqual({
      amount: '5000000000',
      reason: REASON,
    });
  });

  it('is paused with one press', async () => {
    const user = await openConsole(CAMPAIGN);
    await user.click(button('Pause'));
    await settle();
    expect(backend.calls('pauseCampaign')).toHaveLength(1);
    expect(screen.getByText('Paused: the next claim is refused.')).toBeDefined();
  });

  it('says what cannot be done by whom', async () => {
    backend.answer('me', () => staffWith(['auditor']));
    await openConsole(CAMPAIGN);
    expect(button('Pause')).toHaveProperty('disabled', true);
    expect(button('Make codes')).toHaveProperty('disabled', true);
    expect(screen.getByText(/Needs the permission campaigns.codes/)).toBeDefined();
  });
});

describe('a batch', () => {
  it('is ordered with what it is worth, and shows how far it is', async () => {
    const user = await openConsole(CAMPAIGN);
    expect(screen.getByText('36,000 of 100,000 codes')).toBeDefined();
    await user.click(button('Make codes'));
    await settle();
    const dialog = within(screen.getByRole('dialog'));
    await user.type(dialog.getByLabelText('Label'), 'Second run');
    const count = dialog.getByLabelText(/^Number of codes/);
    await user.type(count, '100001');
    expect(screen.getByText('At most 100,000 codes in one batch.')).toBeDefined();
    await user.clear(count);
    await user.type(count, '2400');
    expect(screen.getByRole('dialog').textContent).toContain('worth 60,000.00 ATH in all');
    await user.type(dialog.getByLabelText('Reason'), REASON);
    await user.click(dialog.getByRole('button', { name: 'Make 2,400 codes' }));
    await settle();
    expect(backend.calls('makeBatch')[0]?.body).toEqual({
      label: 'Second run',
      code_count: 2400,
      uses_per_code: 1,
      expires_at: null,
      reason: REASON,
    });
  });

  it('offers the files that are there', async () => {
    const user = await openConsole(CAMPAIGN);
    await choose(user, 1, 'Download PDF, A4, 3 × 8');
    expect(backend.calls('batchLink')[0]?.body).toEqual({ form: 'a4_3x8' });
  });

  it('is drawn as sheets that are not there yet', async () => {
    const user = await openConsole(CAMPAIGN);
    await choose(user, 1, 'Draw sheets: PDF, A4, 2 × 5');
    expect(backend.calls('makeSheet')[0]?.body).toEqual({ form: 'a4_2x5' });
  });

  it('whose file is gone says what to do', async () => {
    backend.answer('batchLink', () => problem('file_gone'));
    const user = await openConsole(CAMPAIGN);
    expect(screen.getByText(/void the batch and make another one/)).toBeDefined();
    await choose(user, 1, 'Download CSV');
    expect(screen.getByText('This file is no longer there.')).toBeDefined();
  });
});

it('a code is looked up in the body of a request, and never stands in an address', async () => {
  const user = await openConsole('/codes');
  await user.type(screen.getByLabelText('Code or its link'), '7k4t ds21 3sb5 5qdt');
  await user.click(button('Look up'));
  await settle();
  expect(backend.calls('lookUpCode')[0]?.body).toEqual({ code: '7k4t ds21 3sb5 5qdt' });
  expect(screen.getByText('Used up')).toBeDefined();
  expect(location.href).not.toContain('7k4t');
});
