// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import {
  dispute,
  DISPUTE_ID,
  lostDispute,
  submittedDispute,
  voidable,
} from '@athos/testing/samples/console-disputes';
import { staffWith } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const CASE = `/disputes/${DISPUTE_ID}`;
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
const remarks = () => screen.getByLabelText('Other remarks');
const save = () => screen.getByRole('button', { name: 'Save draft' });
const submit = () => screen.getByRole('button', { name: 'Submit evidence' });

function fileInput(): HTMLInputElement {
  const input = screen
    .getByRole('button', { name: 'Add a file: Refund policy' })
    .parentElement?.querySelector('input');
  if (!(input instanceof HTMLInputElement)) throw new Error('no file input');
  return input;
}

describe('the list', () => {
  it('leads to what is to be answered, with its number in the rail and the time left in words', async () => {
    const user = await openConsole('/disputes');
    expect(screen.getByRole('link', { name: /^Disputes ?4 ?waiting for evidence$/ })).toBeDefined();
    const due = screen
      .getAllByRole('row')
      .map(({ cells }: HTMLElement & Partial<HTMLTableRowElement>) => cells?.item(2)?.textContent);
    expect(due).toEqual(['Due', 'Overdue, 5 hours ago', 'in 30 hours', 'in 9 days', 'in 17 days']);
    await user.click(screen.getByRole('link', { name: 'All' }));
    await settle();
    expect(location.search).toBe('?view=all');
    expect(backend.calls('consoleDisputes').at(-1)?.query.get('view')).toBe('all');
    expect(screen.getByText('Verdict pending')).toBeDefined();
  });
});

describe('evidence', () => {
  it(
    'is saved for the version that was read, and is sent only once it is saved',
    { tags: 'long' },
    async () => {
      const user = await openConsole(CASE);
      await user.type(remarks(), 'Handed over at the gate.');
      expect(submit()).toHaveProperty('disabled', true);
      expect(screen.getByText('Save the draft first.')).toBeDefined();
      const texts = { ...dispute().evidence, uncategorized_text: 'Handed over at the gate.' };
      backend.answer('consoleDispute', () => dispute({ version: 5, evidence: texts }));
      await user.click(save());
      await settle();
      const [saved] = backend.calls('saveEvidence');
      expect(saved?.headers.get('if-match')).toBe('"4"');
      expect(saved?.body).toEqual({ evidence: texts });
      await user.click(submit());
      await settle();
      const dialog = screen.getByRole('dialog', { name: 'Submit the evidence' });
      expect(dialog.textContent).toContain(
        'Sends 5 texts and 2 files to the cardholder’s bank, against 84.15 USD. It is sent once',
      );
      backend.answer('consoleDispute', submittedDispute);
      await user.click(within(dialog).getByRole('button', { name: 'Submit evidence' }));
      await settle();
      expect(backend.calls('submitEvidence')[0]?.headers.get('if-match')).toBe('"5"');
      expect(screen.queryByLabelText('Other remarks')).toBeNull();
      expect(screen.getByText('The evidence is with the bank')).toBeDefined();
    },
  );

  it('[O-050] shows both drafts when somebody else saved meanwhile, and loses neither', async () => {
    const user = await openConsole(CASE);
    await user.type(remarks(), 'Handed over at the gate.');
    const theirs = dispute({ version: 9, evidence: { uncategorized_text: 'Asked the venue.' } });
    backend.answer('saveEvidence', () =>
      problem('version_conflict', { present: { version: 9, evidence: theirs.evidence } }),
    );
    await user.click(save());
    await settle();
    const both = screen.getByRole('table').textContent;
    expect(both).toContain('Asked the venue.');
    expect(both).toContain('Handed over at the gate.');
    backend.answer('saveEvidence', () => ({ version: 10 }));
    await user.click(screen.getByRole('button', { name: 'Keep mine' }));
    await settle();
    expect(backend.calls('saveEvidence').at(-1)?.headers.get('if-match')).toBe('"9"');
    expect(remarks()).toHaveProperty('value', 'Handed over at the gate.');
  });

  it('keeps what is typed when a file is added, and saves it for the version after the file', async () => {
    const user = await openConsole(CASE);
    await user.type(remarks(), 'Handed over.');
    const input = fileInput();
    await user.upload(input, new File(['%PDF-1.7'], 'policy.pdf', { type: 'application/pdf' }));
    await settle();
    expect(backend.calls('addEvidenceFile')[0]?.body).toEqual({
      field: 'refund_policy',
      name: 'policy.pdf',
      base64: btoa('%PDF-1.7'),
    });
    await user.click(save());
    await settle();
    expect(backend.calls('saveEvidence')[0]?.headers.get('if-match')).toBe('"5"');
    await user.upload(
      input,
      new File(['x'.repeat(1_000_001)], 'big.pdf', { type: 'application/pdf' }),
    );
    await settle();
    expect(screen.getByText('big.pdf is larger than 1 MB.')).toBeDefined();
    expect(backend.calls('addEvidenceFile')).toHaveLength(1);
  });

  it('keeps what is typed during a save, and saves it for the version after that one', async () => {
    const { promise, resolve } = Promise.withResolvers<{ version: number }>();
    backend.answer('saveEvidence', () => promise);
    const user = await openConsole(CASE);
    await user.type(remarks(), 'Handed');
    await user.click(save());
    await settle();
    await user.type(remarks(), ' over.');
    const evidence = { ...dispute().evidence, uncategorized_text: 'Handed' };
    backend.answer('consoleDispute', () => dispute({ version: 5, evidence }));
    resolve({ version: 5 });
    await settle();
    expect(backend.calls('saveEvidence')[0]?.body).toEqual({ evidence });
    expect(remarks()).toHaveProperty('value', 'Handed over.');
    await user.click(save());
    await settle();
    const second = backend.calls('saveEvidence')[1];
    expect(second?.headers.get('if-match')).toBe('"5"');
    expect(second?.body).toEqual({ evidence: { ...evidence, uncategorized_text: 'Handed over.' } });
  });

  it.each([
    ['before and during', 'Handed'],
    ['only during', ''],
  ])('keeps what is typed %s the upload of a file', async (_when, before) => {
    const { promise, resolve } = Promise.withResolvers<{ version: number }>();
    backend.answer('addEvidenceFile', () => promise);
    const user = await openConsole(CASE);
    if (before !== '') await user.type(remarks(), before);
    await user.upload(
      fileInput(),
      new File(['%PDF-1.7'], 'policy.pdf', { type: 'application/pdf' }),
    );
    await settle();
    await user.type(remarks(), ' over.');
    resolve({ version: 5 });
    await settle();
    expect(remarks()).toHaveProperty('value', `${before} over.`);
    await user.click(save());
    await settle();
    expect(backend.calls('saveEvidence')[0]?.headers.get('if-match')).toBe('"5"');
  });

  const policy = () => new File(['%PDF-1.7'], 'policy.pdf', { type: 'application/pdf' });

  it('[O-050] meets the change that somebody else saved before a file was added', async () => {
    backend.answer('addEvidenceFile', () => ({ version: 6 }));
    const user = await openConsole(CASE);
    await user.type(remarks(), 'Handed over.');
    const evidence = { uncategorized_text: 'Asked the venue.' };
    backend.answer('consoleDispute', () => dispute({ version: 6, evidence }));
    await user.upload(fileInput(), policy());
    await settle();
    await user.click(save());
    await settle();
    expect(backend.calls('saveEvidence')[0]?.headers.get('if-match')).toBe('"4"');
  });

  it('is saved for the version after a file that was added during the save', async () => {
    const { promise, resolve } = Promise.withResolvers<{ version: number }>();
    backend.answer('saveEvidence', () => promise);
    backend.answer('addEvidenceFile', () => ({ version: 6 }));
    const user = await openConsole(CASE);
    await user.type(remarks(), 'Handed');
    await user.click(save());
    await user.upload(fileInput(), policy());
    await settle();
    resolve({ version: 5 });
    await settle();
    await user.type(remarks(), ' over.');
    await user.click(save());
    await settle();
    expect(backend.calls('saveEvidence')[1]?.headers.get('if-match')).toBe('"6"');
  });

  it('cannot be sent after the due date, but the dispute can be accepted', async () => {
    backend.answer('consoleDispute', () => dispute({ due_at: inHours(-1) }));
    const user = await openConsole(CASE);
    expect(submit()).toHaveProperty('disabled', true);
    await user.click(screen.getByRole('button', { name: 'Accept' }));
    await settle();
    const dialog = screen.getByRole('dialog', { name: 'Accept the dispute' });
    expect(dialog.textContent).toContain('The customer loses 500.00 ATH');
    await user.type(within(dialog).getByLabelText('Reason'), 'The venue never opened.');
    await user.click(within(dialog).getByRole('button', { name: 'Give up 84.15 USD' }));
    await settle();
    expect(backend.calls('acceptDispute')[0]?.body).toEqual({ reason: 'The venue never opened.' });
  });

  it('is looked at again once the provider has answered', async () => {
    const show = (one: ReturnType<typeof dispute>): void => {
      backend.answer('consoleDispute', () => one);
      backend.answer('consoleDisputes', () => ({
        items: [one],
        next_cursor: null,
        count: { value: 1, is_at_least: false },
      }));
    };
    show(dispute({ evidence_state: 'submitting', evidence_act: 'submit', awaits_evidence: false }));
    await openConsole(CASE);
    expect(screen.getByText('On its way to the bank')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull();
    show(submittedDispute());
    await settle(3000);
    expect(screen.getByText('The evidence is with the bank')).toBeDefined();
    // Each read of the case writes an audit entry, so it is read again only after a change.
    await settle(30_000);
    expect(backend.calls('consoleDispute')).toHaveLength(2);
    show(lostDispute());
    await settle(10_000);
    expect(screen.getByText('Lost')).toBeDefined();
  });
});

describe('what was bought with money that the bank took back', () => {
  const proposal = () =>
    within(screen.getByRole('region', { name: 'Bought with it, not redeemed' }));
  const openLost = () => {
    backend.answer('consoleDispute', lostDispute);
    return openConsole(CASE);
  };

  it('is proposed purchase by purchase, and refunded as proposed unless other numbers are typed', async () => {
    const user = await openLost();
    expect(proposal().getByText(/repays what the customer owes .*415\.85 ATH/)).toBeDefined();
    expect(
      proposal().getByText(/^Amber Fizz, 0\.33 l: 1 of 4 proposed, 32\.00 ATH each$/),
    ).toBeDefined();
    await user.click(proposal().getByRole('button', { name: 'Refund items of purchase 9118' }));
    await settle();
    const dialog = within(screen.getByRole('dialog', { name: 'Refund items to repay the debt' }));
    expect(dialog.getByText(/^Returns 32\.00 ATH to the balance/)).toBeDefined();
    expect(dialog.getByLabelText('Poster')).toHaveProperty('value', '0');
    const fizz = dialog.getByLabelText('Amber Fizz, 0.33 l');
    await user.clear(fizz);
    await user.type(fizz, '5');
    expect(dialog.getByRole('button', { name: 'Refund' })).toHaveProperty('disabled', true);
    await user.clear(fizz);
    await user.type(fizz, '3');
    await user.type(dialog.getByLabelText('Reason'), 'Bought with disputed money.');
    await user.click(dialog.getByRole('button', { name: 'Refund 96.00 ATH' }));
    await settle();
    expect(backend.calls('refundPurchase')).toMatchObject([
      {
        params: { id: '9118' },
        body: {
          lines: [{ line: 0, item_count: 3 }],
          is_stock_returned: true,
          reason: 'Bought with disputed money.',
        },
      },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(backend.calls('voidable').length).toBeGreaterThan(1);
  });

  it('says that nothing is left', async () => {
    backend.answer('voidable', () => voidable({ lines: [] }));
    await openLost();
    expect(
      proposal().getByText('Everything that was bought since is redeemed or refunded.'),
    ).toBeDefined();
  });

  it.each([
    ['while the dispute is open', () => dispute()],
    ['once nothing is owed', () => ({ ...lostDispute(), owed_token_amount: '0' })],
  ] as const)('is not asked for %s', async (_when, answer) => {
    backend.answer('consoleDispute', answer);
    await openConsole(CASE);
    expect(screen.queryByRole('region', { name: 'Bought with it, not redeemed' })).toBeNull();
    expect(backend.calls('voidable')).toHaveLength(0);
  });

  it('[O-032] is seen by an owner, who is told which permission the refund needs', async () => {
    backend.answer('me', () => staffWith(['provider_owner']));
    await openLost();
    const refund = proposal().getByRole('button', { name: /^Refund items of purchase 9123/ });
    expect(refund).toHaveProperty('disabled', true);
    expect(proposal().getAllByText(/Needs the permission purchases\.refund/).length).toBe(2);
  });
});
