/** The data that the load needs in the database: users with balances and sessions, a shop with staff, and reward codes. */
import pg from 'pg';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { openCampaignForLoad } from '../campaign.ts';
import { populate, type BenchUser } from '../population.ts';
import { fillShop } from '../shop.sql.ts';

/**
 * A user who pays by card again before the first payment is settled gets the same order. With this many users, that does not happen during
 * an outage.
 */
const USERS = 240;
const STAFF = 4;
const SPENDERS = 1;
/** Each user may claim each code once. */
const CODES = 150;

export interface Scene {
  readonly users: readonly BenchUser[];
  readonly staff: readonly BenchUser[];
  /** Takes no part in the load. */
  readonly spender: { readonly from: BenchUser; readonly to: BenchUser };
  readonly offerIds: readonly number[];
  /** A user with a code that this user has not claimed. */
  readonly takeCode: () => { readonly user: BenchUser; readonly code: string };
}

export async function prepare(settings: Record<string, string>): Promise<Scene> {
  const config = readConfig(settings);
  const count = USERS + STAFF + SPENDERS;
  const all = await populate(config, { count, senderCount: count });
  const [users, staff] = [all.slice(0, USERS), all.slice(USERS, USERS + STAFF)];
  const [[to], [from]] = [users, all.slice(-SPENDERS)];
  if (from === undefined || to === undefined) throw new Error('nobody was made');
  await allowSends(config.databaseUrl);
  const { offerIds } = await fillShop(config.databaseUrl, {
    categoryCount: 1,
    offersPerCategory: 3,
    staffUserIds: staff.map(({ userId }) => userId),
    holderUserIds: users.map(({ userId }) => userId),
    purchaseCount: 0,
    redeemedPurchaseCount: 0,
    itemsPerPurchase: 1,
  });
  const codes = await openCampaignForLoad(config, { codeCount: CODES, claimCountMax: USERS });
  let taken = 0;
  const takeCode = () => {
    const [user, code] = [users[taken % users.length], codes[Math.floor(taken / users.length)]];
    taken += 1;
    if (user === undefined || code === undefined) throw new Error('every code is claimed');
    return { user, code };
  };
  return { users, staff, spender: { from, to }, offerIds, takeCode };
}

/** Raises the limit, because few users send very often. */
async function allowSends(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into programme_settings values ('sends_per_day_max', '1000000000', now(), 'test:cluster')`,
    );
  } finally {
    await client.end();
  }
}
