import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayHeading, detailDate, listDate, timeOfDay } from './history-date.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const now = new Date('2026-11-21T12:00:00Z');

describe('dates in the history', () => {
  it('[S2-179] show the abbreviated month and the two-digit day', () => {
    expect(listDate('2026-03-07T12:00:00Z', now)).toBe('Mar 07');
  });

  it('[S2-180] show the year unless it is the current one', () => {
    expect(listDate('2025-12-31T10:00:00Z', now)).toBe('Dec 31, 2025');
    expect(listDate('2026-01-01T10:00:00Z', now)).toBe('Jan 01');
  });

  it('head a day with today, yesterday or its weekday', () => {
    expect(dayHeading('2026-11-21T10:00:00Z', now)).toBe('Today, Nov 21');
    expect(dayHeading('2026-11-20T10:00:00Z', now)).toBe('Yesterday, Nov 20');
    expect(dayHeading('2026-11-07T10:00:00Z', now)).toBe('Sat, Nov 07');
    expect(dayHeading('2025-12-31T10:00:00Z', now)).toBe('Wed, Dec 31, 2025');
    expect(dayHeading('2025-12-31T10:00:00Z', new Date('2026-01-01T10:00:00Z'))).toBe(
      'Yesterday, Dec 31, 2025',
    );
  });

  it('show the time of the day in 24 hours', () => {
    expect(timeOfDay('2026-11-05T10:05:00Z')).toBe('19:05');
    expect(timeOfDay('2026-11-05T15:07:00Z')).toBe('00:07');
  });

  it('[D-018] are in the user’s local time', () => {
    // 15:30 UTC is past midnight in Tokyo, and past New Year.
    expect(listDate('2025-12-31T15:30:00Z', now)).toBe('Jan 01');
    expect(detailDate('2025-12-31T15:30:00Z')).toBe('01/01/2026 00:30');
  });

  it('show DD/MM/YYYY with a time on the detail screen', () => {
    expect(detailDate('2026-11-05T04:08:00Z')).toBe('05/11/2026 13:08');
  });
});
