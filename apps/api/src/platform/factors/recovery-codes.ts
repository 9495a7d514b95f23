/**
 * Recovery codes replace a lost second factor. Each works once. They have the form of reward codes: 75 random bits that people can
 * type, in any spelling. They are stored as keyed hashes, so that a copy of the database is not enough to search for them.
 */
import { randomFillSync } from 'node:crypto';
import { drawRewardCode, formatRewardCode, readRewardCode } from '@athos/domain/reward-code';
import { hashesOf, hashOf } from '../keys/hashing-keys.ts';

const CODE_COUNT = 10;

const hashedText = (code: string): string => `recovery code ${code}`;

interface RecoveryCode {
  /** The code as it is shown, once. */
  readonly text: string;
  readonly hash: Buffer;
}

export const makeRecoveryCodes = (hashingKeys: readonly string[]): readonly RecoveryCode[] =>
  Array.from({ length: CODE_COUNT }, () => {
    const code = drawRewardCode((bytes) => randomFillSync(bytes));
    return { text: formatRewardCode(code), hash: hashOf(hashingKeys, hashedText(code)) };
  });

/** The hashes of a typed code under every key; none if the text cannot be one. */
export function recoveryCodeHashes(hashingKeys: readonly string[], text: string): Buffer[] {
  const code = readRewardCode(text);
  return code === undefined ? [] : hashesOf(hashingKeys, hashedText(code));
}
