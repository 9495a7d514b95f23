import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { detailDate, listDate } from './history-date.ts';

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const now = new Date('2026-11-21T12:00:00Z');

describe('dates of the history', () => {
  it('[S2-179] show the abbreviated month and the two-digit day', () => {
    expect(listDate('2026-03-07T12:00:00Z', now)).toBe('Mar 07');
  });

  it('[S2-180] show the year only when it is not the current one', () => {
    expect(listDate('2025-12-31T10:00:00Z', now)).toBe('Dec 31, 2025');
    expect(listDate('2026-01-01T10:00:00Z', now)).toBe('Jan 01');
  });

  it('[D-018] are in the local time of the user', () => {
    // Three in the afternoon UTC is past midnight in Tokyo, and past New Year.
    expect(listDate('2025-12-31T15:30:00Z', now)).toBe('Jan 01');
    expect(detailDate('2025-12-31T15:30:00Z')).toBe('01/01/2026 12:30 AM');
  });

  it('[S2-186] show DD/MM/YYYY with a time in the detail', () => {
    expect(detailDate('2026-11-05T04:08:00Z')).toBe('05/11/2026 01:08 PM');
  });
});
