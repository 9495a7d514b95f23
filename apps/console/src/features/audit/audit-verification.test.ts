// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { auditHead, auditVerification, staffWith } from '@athos/testing/samples/console';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

describe('the verification of the audit', () => {
  it('takes a head from a mail, runs, and names the first wrong entry', async () => {
    backend.answer('verifyAudit', () => {
      backend.answer('auditHead', () => auditHead(auditVerification({ finished_at: null })));
      return auditVerification({ finished_at: null });
    });
    const user = await openConsole('/audit/verification');
    const field = screen.getByLabelText('Head from a mail');
    await user.type(field, 'none');
    expect(screen.getAllByText('A head has 64 hexadecimal digits.').length).toBeGreaterThan(0);
    await user.clear(field);
    await user.type(field, 'A1'.repeat(32));
    await user.click(screen.getByRole('button', { name: 'Verify now' }));
    await settle();
    expect(backend.calls('verifyAudit').at(-1)?.body).toEqual({ head: 'A1'.repeat(32) });
    expect(screen.getByText('Verifying the audit.')).toBeDefined();
    backend.answer('auditHead', () =>
      auditHead(auditVerification({ fault: 'entry 4 was altered' })),
    );
    await settle(2500);
    expect(screen.getAllByText('entry 4 was altered').length).toBeGreaterThan(0);
  });
});

describe('times', () => {
  it("are shown in the programme's time zone, with UTC on hover", async () => {
    backend.answer('me', () => ({ ...staffWith(), time_zone: 'Asia/Tokyo' }));
    backend.answer('auditHead', () =>
      auditHead(auditVerification({ finished_at: '2026-11-21T20:30:00.000Z' })),
    );
    await openConsole('/audit/verification');
    const time = screen.getByTitle('2026-11-21 20:30:00 UTC');
    expect(time.textContent).toMatch(/22\sNov\s2026, 05:30/);
  });
});

describe('the palette', () => {
  it('[O-067] finds an order by the id that the provider gave it', { tags: 'long' }, async () => {
    const user = await openConsole('/audit');
    await user.keyboard('{Control>}k{/Control}');
    await settle();
    await user.type(screen.getByRole('combobox', { name: 'Search' }), 'pi_3PqRsT2eZvKYlo2C');
    await settle(400);
    expect(backend.calls('search').at(-1)?.query.get('q')).toBe('pi_3PqRsT2eZvKYlo2C');
    await user.click(screen.getByRole('option', { name: 'pi_3PqRsT2eZvKYlo2C' }));
    expect(location.pathname).toBe('/console/payments/0192bbbb-0000-7000-8000-000000000001');
  });

  it('finds an offer by its title or id', { tags: 'long' }, async () => {
    const user = await openConsole('/audit');
    await user.keyboard('{Control>}k{/Control}');
    await settle();
    await user.type(screen.getByRole('combobox', { name: 'Search' }), 'latte');
    await settle(400);
    await user.click(screen.getByRole('option', { name: 'Iced latte · 7' }));
    expect(location.pathname).toBe('/console/offers/7');
  });
});
