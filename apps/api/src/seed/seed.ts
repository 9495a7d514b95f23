/**
 * The demo's data. Every part has a fixed key, so a further run, even after an interrupted one, adds only what is missing.
 */
import { createHash } from 'node:crypto';
import { legal } from '@athos/brand/legal';
import { parseAth, type MicroAth } from '@athos/domain/money';
import { readRewardCode } from '@athos/domain/reward-code';
import type { Deps } from '../deps.ts';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type TransferRequest,
} from '../ledger/index.ts';
import { insertUser, selectUserIdByEmail } from '../modules/identity/index.ts';
import { insertAcceptance } from '../modules/legal/index.ts';
import { ensureDemoStaff } from '../modules/staff/index.ts';
import { openCampaign } from '../modules/campaigns/index.ts';
import { dateOf, type Clock } from '../platform/clock.ts';
import { invariant } from '../platform/errors.ts';
import { enqueueJob } from '../platform/jobs/enqueue.ts';
import { demoSlugs } from './demo-catalogue.ts';
import { demoStaff } from './demo-staff.ts';
import { importPictures } from './demo-pictures.ts';
import { demoBalances, demoReward, demoSends, demoSignIns, type DemoSignIn } from './demo-users.ts';
import { insertCatalogue, insertStaff, updateRole } from './seed.sql.ts';

type SeedDeps = Pick<
  Deps,
  'config' | 'db' | 'ledger' | 'clock' | 'passwords' | 'pictureStorage' | 'sealed'
>;

/** A UUID derived from the words (RFC 9562, version 8). */
function seedKey(words: string): string {
  const hex = createHash('sha256').update(`seed ${words}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function amountOf(text: string): MicroAth {
  const amount = parseAth(text);
  invariant(amount !== undefined, `"${text}" is an amount`);
  return amount;
}

/** Returns the id of a verified demo user with ledger accounts. An existing account with the address is left unchanged. */
async function ensureUser(
  { db, ledger, clock, passwords }: SeedDeps,
  { email, password, role }: DemoSignIn,
): Promise<bigint> {
  const known = await selectUserIdByEmail(db, email);
  if (known !== undefined) return known;
  const passwordHash = await passwords.hash(password);
  const now = dateOf(clock);
  return db.transaction().execute(async (tx) => {
    const termsVersion = legal.terms.version;
    const user = await insertUser(tx, {
      email,
      passwordHash,
      termsVersion,
      termsAcceptedAt: now,
      createdAt: now,
    });
    invariant(user !== undefined, 'one process seeds at a time');
    await insertAcceptance(tx, user.userId, { label: termsVersion, at: now });
    await updateRole(tx, user.userId, role);
    await ledger.openAccounts(tx, user.userId);
    return user.userId;
  });
}

async function move({ ledger }: SeedDeps, request: TransferRequest): Promise<void> {
  const { outcome } = await ledger.transfer(request);
  // A demo user may have spent the balance that a missing send needs; then the send is left out.
  invariant(
    outcome === 'done' || outcome === 'replayed' || outcome === 'insufficient',
    `a seed transfer ended as ${outcome}`,
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

function openDemoCampaign(deps: SeedDeps): Promise<void> {
  const { title, amount, budget, daysLong, codes } = demoReward;
  const nowMs = deps.clock.nowMs();
  return openCampaign(deps, {
    key: seedKey(`campaign ${title}`),
    title,
    amount: amountOf(amount),
    budget: amountOf(budget),
    startsAt: new Date(nowMs),
    endsAt: new Date(nowMs + daysLong * DAY_MS),
    codes: codes.map(({ text, claimCountMax }) => {
      const code = readRewardCode(text);
      invariant(code !== undefined, `"${text}" is a code`);
      return { code, claimCountMax };
    }),
  });
}

/**
 * Creates users, staff, pictures, catalogue and venues. Returns the ids of the users in the order of `demoSignIns`. Staff are created at
 * the time of `staffClock`.
 */
export async function seedShop(
  deps: SeedDeps,
  staffClock: Clock = deps.clock,
): Promise<readonly bigint[]> {
  const userIds: bigint[] = [];
  const ensureUsers = async (): Promise<void> => {
    for (const signIn of demoSignIns) userIds.push(await ensureUser(deps, signIn));
    for (const person of demoStaff) {
      await ensureDemoStaff({ ...deps, clock: staffClock }, person);
    }
  };
  const nowMs = deps.clock.nowMs();
  const [pictureIds] = await Promise.all([importPictures(deps, demoSlugs), ensureUsers()]);
  await deps.db.transaction().execute(async (tx) => {
    await insertCatalogue(tx, { nowMs, pictureIds, userIds });
    for (const [index, { role }] of demoSignIns.entries()) {
      const userId = userIds[index];
      if (role === 'scanner' && userId !== undefined) await insertStaff(tx, userId);
    }
  });
  return userIds;
}

/** Creates the users' balances and sends, and the campaign whose codes are printed. */
export async function seedBalances(deps: SeedDeps, userIds: readonly bigint[]): Promise<void> {
  const userId = (index: number): bigint => {
    const id = userIds[index];
    invariant(id !== undefined, 'movements name demo users');
    return id;
  };
  for (const [index, asset, amount] of demoBalances) {
    await move(deps, {
      debitAccountId: systemAccountId('issuance', asset),
      creditAccountId: userAccountId(userId(index), asset),
      amountUnits: amountOf(amount),
      kind: TransferKind.Seed,
      // The key contains the user's id, so an account recreated after its deletion is funded again.
      key: seedKey(`balance ${userId(index)} ${asset}`),
    });
  }
  for (const [line, [from, to, amount]] of demoSends.entries()) {
    await move(deps, {
      debitAccountId: userAccountId(userId(from), 'ATH'),
      creditAccountId: userAccountId(userId(to), 'ATH'),
      amountUnits: amountOf(amount),
      kind: TransferKind.Send,
      key: seedKey(`send ${line} ${userId(from)} ${userId(to)}`),
    });
  }
  await openDemoCampaign(deps);
  // Holders are counted every night, and senders and recipients paired every ten minutes, but the demo is used at once.
  for (const job of ['tiers_count_holders', 'send_pairs']) {
    await enqueueJob(deps.db, job, {}, { key: job });
  }
}

export async function seed(deps: SeedDeps): Promise<void> {
  await seedBalances(deps, await seedShop(deps));
}
