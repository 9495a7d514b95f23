/** What a holder's security screen shows. */
import type { AnswerOf } from '@athos/contract/api';

type OwnSession = AnswerOf<'sessions'>['sessions'][number];

export const ownSessions: OwnSession[] = [
  {
    id: '0192cccc-0000-4000-8000-000000000001',
    device: 'Safari on iOS',
    method: 'password',
    begun_at: '2026-11-20T07:30:00.000Z',
    last_seen_at: '2026-11-21T18:40:00.000Z',
    is_current: false,
  },
  {
    id: '0192cccc-0000-4000-8000-000000000002',
    device: 'Firefox on Linux',
    method: 'link',
    begun_at: '2026-11-02T09:00:00.000Z',
    last_seen_at: '2026-11-20T12:00:00.000Z',
    is_current: true,
  },
  {
    id: '0192cccc-0000-4000-8000-000000000003',
    device: null,
    method: null,
    begun_at: '2026-11-01T10:00:00.000Z',
    last_seen_at: '2026-11-22T08:10:00.000Z',
    is_current: false,
  },
];
