/**
 * Recomputes all seals and days from the journal (`npm run ledger:verify -- --seals`). Somebody who controls the database can rewrite the
 * journal with its chain, but cannot sign a seal over the rewritten rows.
 */
import { createPublicKey, verify } from 'node:crypto';
import { signedText } from '@athos/domain/receipt';
import { selectBatchEndingAt } from '../../ledger/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import { createSaltKeys, type SaltKey } from './leaf.ts';
import { CHUNK_LEAVES, nodesOf, rootOf, splitNodes } from './merkle.ts';
import { dayHash, NO_HASH, readLeaves, sealHash } from './seal-journal.ts';
import { selectDaysAfter, selectSealHashes, selectSealsAfter, type SealRow } from './seals.sql.ts';

export interface SealReport {
  /** The first fault, in words; `undefined` if there is none. */
  readonly fault: string | undefined;
  readonly sealCount: number;
  readonly transferCount: number;
  readonly dayCount: number;
  /** Seals and days signed by a key that we no longer have. Their signatures are valid, but anybody could have made them. */
  readonly foreignCount: number;
  /** The hash of the last day, to compare with a copy stored elsewhere. */
  readonly head: string;
}

interface VerifySealsOptions {
  readonly db: Db;
  readonly receiptKeys: readonly Buffer[];
  readonly keys: Pick<SigningKeys, 'jwks'>;
  /** The hash of a day from a copy stored elsewhere. */
  readonly knownHead?: string | undefined;
}

/** Thrown when a fault is found. */
class SealFault extends Error {}

const SEALS_PER_READ = 64;
const DAYS_PER_READ = 100;

interface Signed {
  readonly hash: Buffer;
  readonly previous: Buffer;
  readonly signature: Buffer;
  readonly public_key: Buffer;
}

function isSigned(kind: 'seal' | 'day', { hash, signature, public_key: x }: Signed): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') },
    format: 'jwk',
  });
  return verify(null, Buffer.from(signedText(kind, hash.toString('hex'))), key, signature);
}

class Verification {
  readonly #options: VerifySealsOptions;
  readonly #saltKeys: readonly SaltKey[];
  readonly #ownKeys: ReadonlySet<string>;
  sealCount = 0;
  transferCount = 0;
  dayCount = 0;
  foreignCount = 0;
  head = NO_HASH.toString('hex');
  #isHeadFound: boolean;

  constructor(options: VerifySealsOptions) {
    this.#options = options;
    this.#saltKeys = createSaltKeys(options.receiptKeys);
    this.#ownKeys = new Set(options.keys.jwks.map(({ x }) => x));
    this.#isHeadFound = options.knownHead === undefined;
  }

  /** Throws SealFault. */
  async run(): Promise<void> {
    await this.#seals();
    await this.#days();
    if (!this.#isHeadFound) {
      throw new SealFault(
        `no day has the head ${this.#options.knownHead}: the days were rewritten`,
      );
    }
  }

  #linked(name: string, row: Signed, previous: Buffer, hash: Buffer): void {
    if (!row.previous.equals(previous)) {
      throw new SealFault(`${name} does not follow from the one before it`);
    }
    if (!row.hash.equals(hash) || !isSigned('day' in row ? 'day' : 'seal', row)) {
      throw new SealFault(`${name} is not as it was signed`);
    }
    if (!this.#ownKeys.has(row.public_key.toString('base64url'))) this.foreignCount += 1;
  }

  async #seals(): Promise<void> {
    const { db } = this.#options;
    let previous: Pick<SealRow, 'n' | 'hash' | 'last_id'> = { n: 0n, hash: NO_HASH, last_id: 0n };
    for (;;) {
      const seals = await selectSealsAfter(db, previous.n, SEALS_PER_READ);
      if (seals.length === 0) return;
      for (const seal of seals) {
        if (seal.n !== previous.n + 1n || seal.first_id <= previous.last_id) {
          throw new SealFault(`seal ${seal.n} does not follow from the one before it`);
        }
        this.#linked(`seal ${seal.n}`, seal, previous.hash, sealHash(previous.hash, seal));
        await this.#rows(seal, previous.last_id + 1n);
        this.sealCount += 1;
        previous = seal;
      }
    }
  }

  /** Rows between two seals belong to the second one, so `from` begins there and an inserted row shows. */
  async #rows(seal: SealRow, from: bigint): Promise<void> {
    const { db } = this.#options;
    const saltKey = this.#saltKeys.find(({ number }) => number.equals(seal.salt_key));
    if (saltKey === undefined) throw new SealFault(`seal ${seal.n} has a key that is not given`);
    const leaves = await readLeaves(db, { firstId: from, lastId: seal.last_id }, saltKey);
    const nodes = nodesOf(leaves);
    const stored = splitNodes(seal.nodes);
    if (leaves.length !== seal.row_count || !rootOf(nodes).equals(seal.root)) {
      const wrong = nodes.findIndex((node, index) => stored[index]?.equals(node) !== true);
      const [first, last] = [wrong * CHUNK_LEAVES + 1, (wrong + 1) * CHUNK_LEAVES];
      const place = `transfers ${first} to ${Math.min(last, seal.row_count)} of seal ${seal.n}`;
      throw new SealFault(
        `${place}, which begins with ${seal.first_id}, are not as they were sealed`,
      );
    }
    if (!rootOf(stored).equals(seal.root)) {
      throw new SealFault(`the nodes of seal ${seal.n} do not lead to its root`);
    }
    const batch = await selectBatchEndingAt(db, seal.last_id);
    if (batch?.hash.equals(seal.chain_hash) !== true) {
      throw new SealFault(`the chain at transfer ${seal.last_id} is not as it was sealed`);
    }
    this.transferCount += leaves.length;
  }

  async #days(): Promise<void> {
    const { db, knownHead } = this.#options;
    let previous: { readonly day?: string; readonly hash: Buffer; readonly last_seal: bigint } = {
      hash: NO_HASH,
      last_seal: 0n,
    };
    for (;;) {
      const days = await selectDaysAfter(db, previous.day, DAYS_PER_READ);
      if (days.length === 0) return;
      for (const day of days) {
        this.#linked(`day ${day.day}`, day, previous.hash, dayHash(previous.hash, day));
        const hashes = await selectSealHashes(db, day.first_seal, day.last_seal);
        const nodes = nodesOf(hashes);
        const isWhole =
          day.first_seal === previous.last_seal + 1n &&
          BigInt(hashes.length) === day.last_seal - day.first_seal + 1n;
        if (
          !isWhole ||
          !rootOf(nodes).equals(day.root) ||
          !Buffer.concat(nodes).equals(day.nodes)
        ) {
          throw new SealFault(`day ${day.day} does not cover its seals`);
        }
        this.dayCount += 1;
        this.head = day.hash.toString('hex');
        this.#isHeadFound ||= this.head === knownHead;
        previous = day;
      }
    }
  }
}

/** Throws only if the database cannot be read. */
export async function verifySeals(options: VerifySealsOptions): Promise<SealReport> {
  const verification = new Verification(options);
  let fault: string | undefined;
  try {
    await verification.run();
  } catch (error) {
    if (!(error instanceof SealFault)) throw error;
    fault = error.message;
  }
  const { sealCount, transferCount, dayCount, foreignCount, head } = verification;
  return { fault, sealCount, transferCount, dayCount, foreignCount, head };
}
