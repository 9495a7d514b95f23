import { topic, wholeNumber } from './topic.ts';

const MS_PER_SECOND = 1_000;
/** Leaves time for a round that fails, within the ten minutes after which every movement is sealed. */
const SEAL_AFTER_SECONDS_MAX = 480;
const SEAL_AFTER_SECONDS = 300;

export const seals = topic(
  {
    /** How long movements wait for more before a seal is made over them. */
    sealAfterSeconds: [
      'SEAL_AFTER_SECONDS',
      wholeNumber(1, SEAL_AFTER_SECONDS_MAX).default(SEAL_AFTER_SECONDS),
    ],
  },
  { build: ({ sealAfterSeconds }) => ({ sealAfterMs: sealAfterSeconds * MS_PER_SECOND }) },
);
