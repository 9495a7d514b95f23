import type { JobState } from '@athos/contract/console/jobs';
import { m } from '@athos/messages/messages';
import type { Tone } from '../../kit/badge.tsx';

export const JOB_STATE_WORDS: Readonly<Record<JobState, { title: () => string; tone: Tone }>> = {
  waiting: { title: m.jobs_waiting, tone: 'neutral' },
  running: { title: m.jobs_running, tone: 'info' },
  retrying: { title: m.jobs_retrying, tone: 'info' },
  failed: { title: m.jobs_failed, tone: 'danger' },
};
