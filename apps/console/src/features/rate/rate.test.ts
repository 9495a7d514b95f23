// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { silence } from '@athos/testing/fake-api';
import { staffWith } from '@athos/testing/samples/console';
import { rateNow, refusedRate } from '@athos/testing/samples/console-rate';
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const button = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('the rate', () => {
  it(
    "is scheduled at a time of the programme's time zone, with what it changes",
    { tags: 'long' },
    async () => {
      backend.answer('me', () => ({ ...staffWith(), time_zone: 'Asia/Tokyo' }));
      const user = await openConsole('/rate');
      await user.click(button('Schedule a rate'));
      await settle();
      expect(screen.getByText(/Asia\/Tokyo/)).toBeDefined();
      await user.type(screen.getByLabelText('US dollars for 1 ATH'), '0.17');
      expect(screen.getByText(/Publishes 0\.17 .*\+1\.01%/)).toBeDefined();
      fireEvent.change(screen.getByLabelText('In force from'), {
        target: { value: '2026-12-01T08:30' },
      });
      await user.type(screen.getByLabelText('Reason'), 'As the treasury decided');
      await user.click(button('Publish 0.17'));
      await settle();
      expect(backend.calls('scheduleRate').at(-1)?.body).toEqual({
        usd_per_ath: '0.17',
        in_force_from: '2026-11-30T23:30:00.000Z',
        reason: 'As the treasury decided',
      });
    },
  );

  it('is not scheduled without a rate, nor while it has another source', async () => {
    const user = await openConsole('/rate');
    await user.click(button('Schedule a rate'));
    await settle();
    await user.type(screen.getByLabelText('US dollars for 1 ATH'), '0.1.7');
    expect(screen.getByText('Enter a rate above 0 with at most 8 decimals.')).toBeDefined();
    await user.keyboard('{Escape}');
    backend.answer('rateNow', () => rateNow({ source: { kind: 'fixed', host: null } }));
    await settle(13_000);
    expect(button('Schedule a rate').hasAttribute('disabled')).toBe(true);
  });

  it('gives no reason against scheduling while its source is unknown', async () => {
    backend.answer('rateNow', silence);
    await openConsole('/rate');
    expect(button('Schedule a rate').hasAttribute('disabled')).toBe(true);
    expect(screen.queryByText(/another source/)).toBeNull();
  });

  it('that was refused leads to the decision', async () => {
    backend.answer('rateNow', refusedRate);
    await openConsole('/rate');
    expect(screen.getByText('1.6712 was not published')).toBeDefined();
    expect(screen.getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe(
      '/console/approvals/0192f0f0-0000-7000-8000-000000000001',
    );
  });

  it('is drawn as it went, with its numbers as a table one key away', async () => {
    backend.answer('rateSeries', () => ({
      items: [
        { at: '2026-11-21T10:00:00.000Z', usd_per_ath: null },
        { at: '2026-11-21T10:30:00.000Z', usd_per_ath: '0.1683' },
        { at: '2026-11-21T11:00:00.000Z', usd_per_ath: '0.17' },
      ],
    }));
    const user = await openConsole('/rate');
    const cursor = screen.getByRole('slider', { name: /^History/ });
    cursor.focus();
    await user.keyboard('{Home}');
    expect(cursor.getAttribute('aria-valuetext')).toMatch(/: US dollars for 1 ATH –$/);
    await user.keyboard('{End}');
    expect(cursor.getAttribute('aria-valuetext')).toMatch(/: US dollars for 1 ATH 0\.17$/);
    await user.keyboard('t');
    expect(
      within(screen.getByRole('region', { name: 'History' })).getAllByRole('row'),
    ).toHaveLength(4);
  });

  it('is taken off the schedule with a reason', async () => {
    const user = await openConsole('/rate');
    await user.click(button('Cancel'));
    await settle();
    await user.type(screen.getByLabelText('Reason'), 'The market calmed down');
    await user.click(button('Cancel 0.171'));
    await settle();
    expect(backend.calls('cancelRate').at(-1)?.body).toEqual({ reason: 'The market calmed down' });
  });
});
