/** Creates users with balances, made by transfers, and with sessions that the API accepts. */
import { randomBytes, randomUUID } from 'node:crypto';
import { units } from '@athos/domain/money';
import type { Config } from '../apps/api/src/config/config.ts';
import { createDeps, type Deps } from '../apps/api/src/deps.ts';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
} from '../apps/api/src/ledger/index.ts';
import { createLog } from '../apps/api/src/platform/log/log.ts';
import type { LoadUser } from './load-plan.ts';

/** 1,000 ATH: enough for every user at 0.001 ATH per transfer. */
const OPENING_BALANCE = units(1_000_000_000n);
const USERS_PER_TRANSACTION = 500;

export interface BenchUser {
  readonly userId: bigint;
  readonly uuid: string;
  readonly token: string;
}

export const loadUser = ({ uuid, token }: BenchUser): LoadUser => ({ uuid, token });

/** Creates `count` users. The first `senderCount` have a session; the token of the others is empty. */
export async function populate(
  config: Config,
  { count, senderCount }: { count: number; senderCount: number },
): Promise<BenchUser[]> {
  const deps = createDeps(config, createLog('warn'));
  try {
    const users: BenchUser[] = [];
    while (users.length < count) {
      const wanted = Math.min(USERS_PER_TRANSACTION, count - users.length);
      users.push(...(await insertUsers(deps, wanted)));
    }
    for (let from = 0; from < senderCount; from += USERS_PER_TRANSACTION) {
      const slice = users.slice(from, Math.min(from + USERS_PER_TRANSACTION, senderCount));
      const withTokens = await openSessions(deps, slice);
      users.splice(from, withTokens.length, ...withTokens);
    }
    return users;
  } finally {
    await deps.close();
  }
}

async function insertUsers({ db, ledger }: Deps, count: number): Promise<BenchUser[]> {
  return db.transaction().execute(async (tx) => {
    const rows = await tx
      .insertInto('users')
      .values(
        Array.from({ length: count }, () => ({
          email: `${randomBytes(9).toString('hex')}@bench.invalid`,
          password_hash: 'none',
        })),
      )
      .returning(['id', 'uuid'])
      .execute();
    for (const { id } of rows) await ledger.openAccounts(tx, id);
    await ledger.transferInTx(
      tx,
      rows.map(({ id }) => opening(id)),
    );
    return rows.map(({ id, uuid }) => ({ userId: id, uuid, token: '' }));
  });
}

const opening = (userId: bigint): GroupTransferRequest => ({
  debitAccountId: systemAccountId('issuance', 'ATH'),
  creditAccountId: userAccountId(userId, 'ATH'),
  amountUnits: OPENING_BALANCE,
  kind: TransferKind.Seed,
  key: randomUUID(),
  line: 0,
});

async function openSessions(
  { db, sessions }: Deps,
  users: readonly BenchUser[],
): Promise<BenchUser[]> {
  return db.transaction().execute(async (tx) => {
    const opened: BenchUser[] = [];
    for (const user of users) {
      const token = await sessions.open(tx, { userId: user.userId, userUuid: user.uuid });
      opened.push({ ...user, token });
    }
    return opened;
  });
}
