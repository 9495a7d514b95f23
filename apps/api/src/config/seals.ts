import { topic, wholeNumber } from './topic.ts';

const MS_PER_SECOND = 1_000;
/** Leaves time for one failed round within the ten minutes after which every movement must be sealed. */
const SEAL_AFTER_SECONDS_MAX = 480;
const SEAL_AFTER_SECONDS = 300;

export const seals = topic(
  {
    /** How long movements wait for more of them before a seal is made. */
    sealAfterSeconds: [
      'SEAL_AFTER_SECONDS',
      wholeNumber(1, SEAL_AFTER_SECONDS_MAX).default(SEAL_AFTER_SECONDS),
    ],
  },
  { build: ({ sealAfterSeconds }) => ({ sealAfterMs: sealAfterSeconds * MS_PER_SECOND }) },
);
