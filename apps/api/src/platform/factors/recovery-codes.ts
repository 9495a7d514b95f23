/**
 * Recovery codes replace a lost second factor. Each works once. They have the form of reward codes: 75 random bits that people can
 * type, in any spelling. They are stored as keyed hashes, so that a copy of the database is not enough to search for them.
 */
import { createHmac, randomFillSync } from 'node:crypto';
import { drawRewardCode, formatRewardCode, readRewardCode } from '@athos/domain/reward-code';

const CODE_COUNT = 10;

const hashOf = (hashingKey: string, code: string): Buffer =>
  createHmac('sha256', hashingKey).update(`recovery code ${code}`).digest();

interface RecoveryCode {
  /** The code as it is shown, once. */
  readonly text: string;
  readonly hash: Buffer;
}

export const makeRecoveryCodes = (hashingKey: string): readonly RecoveryCode[] =>
  Array.from({ length: CODE_COUNT }, () => {
    const code = drawRewardCode((bytes) => randomFillSync(bytes));
    return { text: formatRewardCode(code), hash: hashOf(hashingKey, code) };
  });

/** The hash of a typed code; `undefined` if the text cannot be one. */
export function hashRecoveryCode(hashingKey: string, text: string): Buffer | undefined {
  const code = readRewardCode(text);
  return code === undefined ? undefined : hashOf(hashingKey, code);
}
