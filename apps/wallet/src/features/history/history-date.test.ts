import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { detailDate, listDate } from './history-date.ts';

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

  it('[D-018] are in the user’s local time', () => {
    // 15:30 UTC is past midnight in Tokyo, and past New Year.
    expect(listDate('2025-12-31T15:30:00Z', now)).toBe('Jan 01');
    expect(detailDate('2025-12-31T15:30:00Z')).toBe('01/01/2026 12:30 AM');
  });

  it('[S2-186] show DD/MM/YYYY with a time on the detail screen', () => {
    expect(detailDate('2026-11-05T04:08:00Z')).toBe('05/11/2026 01:08 PM');
  });
});
