import { describe, expect, it } from 'vitest';
import { monthOf, monthsBetween, rangeOf } from './month.ts';

describe('a month', () => {
  it.each([
    ['2026-10', 'UTC', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    // Summer time ends within this month.
    ['2026-10', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['2026-12', 'America/New_York', '2026-12-01T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
    ['2024-02', 'Asia/Kathmandu', '2024-01-31T18:15:00.000Z', '2024-02-29T18:15:00.000Z'],
    // Clocks were set forward at this midnight.
    ['2018-11', 'America/Sao_Paulo', '2018-11-01T03:00:00.000Z', '2018-12-01T02:00:00.000Z'],
    ['2026-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
  ])('%s in %s goes from %s to %s', (month, zone, from, to) => {
    const range = rangeOf(month, zone);
    expect([range.from.toISOString(), range.to.toISOString()]).toEqual([from, to]);
    expect(monthOf(range.from, zone)).toBe(month);
    expect(monthOf(new Date(range.to.getTime() - 1), zone)).toBe(month);
    expect(monthOf(range.to, zone)).not.toBe(month);
  });

  it('is listed with those before it', () => {
    expect(monthsBetween('2025-11', '2026-02', 120)).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
    expect(monthsBetween('2020-01', '2026-02', 2)).toEqual(['2026-02', '2026-01']);
    expect(monthsBetween('2026-03', '2026-02', 2)).toEqual([]);
  });
});
