import { parseOptions } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords, NOBODYS_HASH } from './passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords(2);

  it('[D-047] are hashed with argon2id: 19 MiB, 2 passes, 1 lane, a random salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('same'), passwords.hash('same')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('are verified only by their own hash', async () => {
    const hash = await passwords.hash('Correct-Horse-7');
    expect(await passwords.verify(hash, 'Correct-Horse-7')).toBe(true);
    expect(await passwords.verify(hash, 'Correct-Horse-8')).toBe(false);
  });

  it('cost the same if there is no hash to verify', async () => {
    expect(parseOptions(NOBODYS_HASH)).toEqual(parseOptions(await passwords.hash('any')));
    expect(await passwords.verifyNothing('any')).toBe(false);
  });

  it('wait in a queue of 200, above which whoever has the most waiting is refused', async () => {
    const { line } = createPasswords(1);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const flood = Promise.allSettled(
      Array.from({ length: 210 }, (_, index) => line(['busy', `${index}`], () => released)),
    );
    const other = line(['quiet', 'account'], () => Promise.resolve('served'));
    release();
    expect(await other).toBe('served');
    const refused = (await flood).filter((outcome) => outcome.status === 'rejected');
    // Two requests run: one hashes while the other reads.
    expect(refused).toHaveLength(9);
    expect(refused[0]?.reason).toMatchObject({ code: 'overloaded' });
  });
});
