import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { units } from '@athos/domain/money';
import { createLedgerBooks, seed, send, type LedgerBooks } from '../../test/ledger-books.ts';
import { SequentialLedger, type ModelOutcome } from '../../test/sequential-ledger.ts';
import { decodeBatch, encodeBatch, POST_BATCH_SQL, WARM_UP, type BatchRow } from './post-batch.ts';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  userIdOfAccount,
  type GroupTransferRequest,
  type LedgerAccountId,
  type TransferOutcome,
} from './index.ts';

let books: LedgerBooks;
beforeEach(async () => {
  books = await createLedgerBooks();
});
afterEach(async () => {
  await books.expectBooksBalance();
  await books.close();
});

async function postBatch(requests: readonly GroupTransferRequest[]): Promise<TransferOutcome[]> {
  const { rows } = await books.admin.query<BatchRow>({
    text: POST_BATCH_SQL,
    values: encodeBatch(requests, false),
    rowMode: 'array',
  });
  return decodeBatch(rows[0], requests.length);
}

const alone = (
  from: LedgerAccountId,
  to: LedgerAccountId,
  amount: bigint,
  key?: string,
): GroupTransferRequest => ({ ...send(from, to, amount, key), line: 0 });

const outcomesOf = (results: readonly TransferOutcome[]): string[] =>
  results.map(({ outcome }) => outcome);

describe('a batch equals posting its transfers one by one', () => {
  // An arbitrary number. Another seed tests other batches; the same seed reproduces a failure.
  const SEED = 20_261_121;
  const ROUNDS = 150;

  it(
    'produces the outcomes, balances and ids of a sequential model for random hostile batches',
    { tags: 'long' },
    async () => {
      const random = randomFrom(SEED);
      const model = new SequentialLedger();
      const issuance = systemAccountId('issuance', 'ATH');
      model.open(issuance, { floor: -9_000_000_000_000_000_000n });
      const accounts: LedgerAccountId[] = [issuance];
      for (let userId = 1n; userId <= 8n; userId++) {
        const id = await books.openUser(userId);
        accounts.push(id);
        model.open(id);
      }
      const users = accounts.slice(1);
      const openings = users.map((id) => seed(id, 1_000n));
      for (const opening of openings) model.post(opening);
      await postBatch(openings);

      const ids = new Map<object, bigint>();
      const earlier: GroupTransferRequest[] = [];
      const seen = new Set<string>();
      for (let round = 0; round < ROUNDS; round++) {
        if (random() < 0.3) await changeAState(model, pick(random, users), random);
        if (random() < 0.2) await restoreAFloor(model, pick(random, users));
        if (random() < 0.3) {
          const [request] = hostileBatch(random, users, earlier);
          if (request === undefined) throw new Error('an empty batch');
          const expected = model.clawBack(request);
          const got = await clawBack(request);
          expectSame(got, expected, ids, `seed ${SEED}, round ${round}, claw-back`);
          earlier.push(request);
        }
        const batch = hostileBatch(random, accounts, earlier);
        const expected = batch.map((request) => model.post(request));
        const got = await postBatch(batch);
        for (const [index, outcome] of got.entries()) {
          expectSame(
            outcome,
            expected[index],
            ids,
            `seed ${SEED}, round ${round}, transfer ${index}`,
          );
          seen.add(outcome.outcome);
        }
        earlier.push(...batch);
      }
      expect(await storedAccounts()).toEqual(
        [...model.accounts]
          .map(([id, { balance, floor }]) => ({
            id: `${id}`,
            balance: `${balance}`,
            floor: `${floor}`,
          }))
          .toSorted((a, b) => a.id.localeCompare(b.id)),
      );
      expect(
        [...model.accounts.values()].some(({ balance, floor }) => floor < 0n && balance < 0n),
      ).toBe(true);
      expect([...seen].toSorted()).toEqual([
        'bad_amount',
        'blocked',
        'done',
        'held',
        'insufficient',
        'key_reused',
        'receiver_held',
        'replayed',
        'same_account',
        'unknown_account',
      ]);
    },
  );

  async function changeAState(
    model: SequentialLedger,
    id: LedgerAccountId,
    random: () => number,
  ): Promise<void> {
    const account = model.accounts.get(id);
    if (account === undefined) throw new Error('no such account');
    if (random() < 0.5) {
      const held = (['send', 'spend', 'receive'] as const).filter(() => random() < 0.4);
      const userId = userIdOfAccount(id) ?? 0n;
      await books.inTx((tx) => books.ledger.setHeldMovements(tx, userId, held));
      if (account.state === 'open') account.held = held;
      return;
    }
    const state = pick(random, ['open', 'open', 'open', 'restricted', 'frozen', 'closed'] as const);
    await books.inTx((tx) => books.ledger.setAccountState(tx, id, state));
    Object.assign(account, { state, held: [] });
  }

  async function restoreAFloor(model: SequentialLedger, id: LedgerAccountId): Promise<void> {
    model.restoreFloor(id);
    const floor = await books.inTx((tx) => books.ledger.restoreFloorInTx(tx, id));
    expect(floor).toBe(model.accounts.get(id)?.floor);
  }

  async function clawBack(request: GroupTransferRequest): Promise<TransferOutcome> {
    const result = await books.inTx((tx) => books.ledger.clawBackInTx(tx, [request]));
    if (result.outcome === 'refused') return result.refusal;
    const [transfer] = result.transfers;
    if (transfer === undefined) throw new Error('no transfer');
    return { outcome: result.outcome, ...transfer };
  }

  async function storedAccounts(): Promise<unknown[]> {
    const { rows } = await books.admin.query<{ id: string }>(
      `select id::text, balance_units::text as balance, floor_units::text as floor from ledger_accounts
        where id = -8 or (id > 0 and asset = 'ATH')`,
    );
    return rows.toSorted((a, b) => a.id.localeCompare(b.id));
  }

  it('is insufficient, not replayed, when the same key succeeds later in the batch', async () => {
    const [poor, rich] = [await books.openUser(1n), await books.openUser(2n, 100n)];
    const key = randomUUID();
    const results = await postBatch([
      alone(poor, rich, 50n, key),
      alone(rich, poor, 80n),
      alone(poor, rich, 50n, key),
      alone(poor, rich, 50n, key),
    ]);
    expect(outcomesOf(results)).toEqual(['insufficient', 'done', 'done', 'replayed']);
    expect(results[3]).toEqual({ ...results[2], outcome: 'replayed' });
  });

  it('is replayed for a key of the same batch, even if the payer has nothing left', async () => {
    const [from, to] = [await books.openUser(1n, 50n), await books.openUser(2n)];
    const transfer = alone(from, to, 50n);
    expect(outcomesOf(await postBatch([transfer, transfer]))).toEqual(['done', 'replayed']);
    expect(outcomesOf(await postBatch([transfer]))).toEqual(['replayed']);
  });

  it('moves value once per payer and key, within a batch and across batches', async () => {
    const ath = [await books.openUser(1n, 100n), await books.openUser(2n)] as const;
    const ath2 = [userAccountId(1n, 'ATH2'), userAccountId(2n, 'ATH2')] as const;
    await postBatch([{ ...seed(ath2[0], 100n, 'ATH2') }]);
    const key = randomUUID();
    const both = [alone(...ath, 10n, key), alone(...ath2, 10n, key)];
    expect(outcomesOf(await postBatch(both))).toEqual(['done', 'key_reused']);
    expect(outcomesOf(await postBatch(both.toReversed()))).toEqual(['key_reused', 'replayed']);
    expect(await books.balance(ath2[0])).toBe(100n);
  });

  it('lets two payers use the same key, even in a batch with a replay', async () => {
    const [first, second] = [await books.openUser(1n, 100n), await books.openUser(2n, 100n)];
    const key = randomUUID();
    const ofFirst = alone(first, second, 10n, key);
    const ofSecond = alone(second, first, 10n, key);
    expect(outcomesOf(await postBatch([ofFirst, ofSecond]))).toEqual(['done', 'done']);
    expect(outcomesOf(await postBatch([ofSecond, ofFirst]))).toEqual(['replayed', 'replayed']);
  });

  it('extends the chain on every path and counts replays in a row', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const head = async () =>
      (await books.admin.query(`select hash, replay_count::int from ledger_head`)).rows[0];
    const first = alone(from, to, 10n);
    await postBatch([first]);
    const afterLoop = await head();
    await postBatch([first, alone(from, to, 10n)]);
    const afterExactPass = await head();
    expect(afterExactPass.hash).not.toEqual(afterLoop.hash);
    await postBatch([first]);
    expect(await head()).toEqual({
      ...afterExactPass,
      replay_count: afterExactPass.replay_count + 1,
    });
    await postBatch([alone(from, to, 1_000n)]);
    expect((await head()).hash).toEqual(afterExactPass.hash);
  });

  it(
    'refuses accounts of two assets, even when it is called directly',
    { tags: 'long' },
    async () => {
      const from = await books.openUser(1n, 100n);
      const entry = alone(from, userAccountId(1n, 'ATH2'), 10n);
      await expect(postBatch([entry])).rejects.toThrow('post_batch code 10');
    },
  );

  it('accepts 1023 transfers and refuses more', async () => {
    const [from, to] = [await books.openUser(1n, 2_000n), await books.openUser(2n)];
    const many = Array.from({ length: 1023 }, () => alone(from, to, 1n));
    expect(new Set(outcomesOf(await postBatch(many)))).toEqual(new Set(['done']));
    await expect(postBatch([...many, alone(from, to, 1n)])).rejects.toThrow('at most 1023');
  });

  it('does nothing for an empty batch, which neither waits for the ledger nor writes', async () => {
    const [from, to] = [await books.openUser(1n, 100n), await books.openUser(2n)];
    const [holder, other] = [await books.admin.connect(), await books.admin.connect()];
    const blockNow = async () =>
      (await other.query('select last_value from ledger_transfer_blocks')).rows;
    const before = await blockNow();
    await holder.query('begin; select ledger_lock()');
    await other.query("begin; set local lock_timeout = '1ms'");
    await other.query(WARM_UP);
    const { rows } = await other.query('select pg_current_xact_id_if_assigned() as "writtenBy"');
    await other.query('commit');
    expect(rows).toEqual([{ writtenBy: null }]);
    expect(await blockNow()).toEqual(before);
    await holder.query('rollback');
    for (const client of [holder, other]) client.release();
    expect(outcomesOf(await postBatch([alone(from, to, 1n)]))).toEqual(['done']);
  });
});

function expectSame(
  got: TransferOutcome,
  expected: ModelOutcome | undefined,
  ids: Map<object, bigint>,
  where: string,
): void {
  if (got.outcome !== 'done' && got.outcome !== 'replayed') {
    expect(got, where).toEqual(expected);
    return;
  }
  if (expected === undefined || !('original' in expected)) {
    expect(got.outcome, where).toBe(expected?.outcome);
    return;
  }
  const { outcome, debitAfter, creditAfter, original } = expected;
  if (got.outcome === 'done') ids.set(original, got.transferId);
  expect(got, where).toEqual({
    outcome,
    transferId: ids.get(original),
    debitAfterUnits: debitAfter,
    creditAfterUnits: creditAfter,
  });
}

/** Kinds that holds stop, and kinds that pass them. */
const KINDS = [
  TransferKind.Send,
  TransferKind.Send,
  TransferKind.Purchase,
  TransferKind.Tip,
  TransferKind.Reward,
  TransferKind.Release,
  TransferKind.Chargeback,
] as const;

/** Contains replays within and across batches, altered replays, overdrafts, unknown accounts, and bad amounts, lines and kinds. */
function hostileBatch(
  random: () => number,
  accounts: readonly LedgerAccountId[],
  earlier: readonly GroupTransferRequest[],
): GroupTransferRequest[] {
  const batch: GroupTransferRequest[] = [];
  const size = 1 + Math.floor(random() * 40);
  while (batch.length < size) {
    const known = [...earlier.slice(-60), ...batch];
    if (known.length > 0 && random() < 0.25) {
      const again = { ...pick(random, known) };
      if (random() < 0.15) again.amountUnits = units(again.amountUnits + 1n);
      if (random() < 0.05) again.kind = pick(random, KINDS);
      if (random() < 0.05) again.line += 1;
      if (random() < 0.05) again.creditAccountId = pick(random, accounts);
      if (random() < 0.1) again.debitAccountId = pick(random, accounts);
      batch.push(again);
      continue;
    }
    const amount = random() < 0.03 ? pick(random, [0n, -5n, 10n ** 16n]) : randomAmount(random);
    const stranger = userAccountId(99n, 'ATH');
    batch.push({
      debitAccountId: random() < 0.03 ? stranger : pick(random, accounts),
      creditAccountId: random() < 0.03 ? stranger : pick(random, accounts),
      amountUnits: units(amount),
      kind: pick(random, KINDS),
      key: uuidFrom(random),
      line: 0,
    });
  }
  return batch;
}

const randomAmount = (random: () => number): bigint => BigInt(1 + Math.floor(random() * 900));

function pick<T>(random: () => number, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

function uuidFrom(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** mulberry32, a small deterministic generator. */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
