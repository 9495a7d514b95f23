/** Exports in each of their states, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Export = ConsoleAnswerOf<'export'>;

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();

export const exportFile = (more: Partial<Export> = {}): Export => ({
  id: '0192eeee-0000-7000-8000-000000000001',
  content: 'customers',
  state: 'ready',
  created_at: hoursAgo(1),
  finished_at: hoursAgo(1),
  expires_at: hoursAgo(-71),
  rows_done: 3_412,
  rows_total: 3_412,
  byte_count: 412_880,
  ...more,
});

const unfinished = { finished_at: null, expires_at: null, byte_count: null } as const;

const EXPORTS: readonly Export[] = [
  exportFile({
    ...unfinished,
    id: '0192eeee-0000-7000-8000-000000000005',
    content: 'transfers',
    state: 'waiting',
    created_at: hoursAgo(0),
    rows_done: 0,
    rows_total: null,
  }),
  exportFile({
    ...unfinished,
    id: '0192eeee-0000-7000-8000-000000000004',
    content: 'audit',
    state: 'running',
    created_at: hoursAgo(0),
    rows_done: 1_000,
    rows_total: 9_871,
  }),
  exportFile(),
  exportFile({
    ...unfinished,
    id: '0192eeee-0000-7000-8000-000000000003',
    content: 'approvals',
    state: 'failed',
    created_at: hoursAgo(4),
    finished_at: hoursAgo(4),
    rows_done: 0,
  }),
  exportFile({
    id: '0192eeee-0000-7000-8000-000000000002',
    content: 'person',
    state: 'deleted',
    created_at: hoursAgo(90),
    finished_at: hoursAgo(90),
    expires_at: hoursAgo(18),
    rows_done: 84,
    rows_total: null,
    byte_count: 21_004,
  }),
];

export const exportAnswers: Handlers = {
  exports: () => ({
    items: [...EXPORTS],
    next_cursor: null,
    count: { value: EXPORTS.length, is_at_least: false },
  }),
  exportList: ({ body }) => ({
    outcome: 'done',
    ...exportFile({ ...unfinished, content: body.list, state: 'waiting', rows_done: 0 }),
  }),
  exportPerson: () =>
    exportFile({ ...unfinished, content: 'person', state: 'waiting', rows_done: 0 }),
  exportLink: () => ({
    path: '/api/admin/exports/0192eeee-0000-7000-8000-000000000001/file?code=x',
    expires_at: hoursAgo(0),
  }),
};
