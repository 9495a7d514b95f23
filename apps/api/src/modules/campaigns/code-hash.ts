import { createHmac } from 'node:crypto';
import type { RewardCode } from '@athos/domain/reward-code';

/** What is stored of a code: without the key, who reads the table cannot even test a guess. */
export const hashCode = (code: RewardCode, hashingKey: string): Buffer =>
  createHmac('sha256', hashingKey).update(`reward code ${code}`).digest();
