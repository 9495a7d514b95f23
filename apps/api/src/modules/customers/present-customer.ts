/** Customers in the form of the console's answers. */
import type { HoldKind } from '@athos/contract/console/holds';
import { microAth } from '@athos/domain/money';
import { currentTier } from '@athos/domain/tiers';
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { maskEmail } from '../../platform/console/mask-email.ts';
import type { SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import type { Db } from '../../platform/database/database.ts';
import { selectHeldKindsOf } from '../holds/index.ts';
import { selectDeviceTimes, selectOpenSessions, type FoundUser } from '../identity/index.ts';
import { selectTiers } from '../shop/index.ts';
import { presentBalances, readBalances } from '../transfers/index.ts';
import { presentPublicNames } from './public-names.ts';
import { presentRecovery } from './recoveries.ts';

export interface PresentDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
}

type Balances = Awaited<ReturnType<typeof readBalances>>;

const presentSummary = (user: FoundUser, balances: Balances, held: readonly HoldKind[] = []) => ({
  uuid: user.uuid,
  email: user.email === null ? null : maskEmail(user.email),
  state: user.closedAt === null ? ('open' as const) : ('closed' as const),
  created_at: user.createdAt.toISOString(),
  closed_at: user.closedAt?.toISOString() ?? null,
  balances: presentBalances(balances).balances,
  held_kinds: [...held],
});

/** Returns the customers in the order of `users`. Balances and holds are read once for all of them. */
export async function presentSummaries({ db, ledger }: PresentDeps, users: readonly FoundUser[]) {
  const userIds = users.map(({ id }) => id);
  const heldKinds = selectHeldKindsOf(db, userIds);
  return Promise.all(
    users.map(async (user) => {
      // The ledger reads all of these balances in one query.
      const balances = await readBalances(ledger, user.id);
      return presentSummary(user, balances, (await heldKinds).get(user.id));
    }),
  );
}

export async function presentCustomer(
  { db, ledger, clock }: PresentDeps,
  user: FoundUser,
  { walletUuid }: Pick<SignedInStaff, 'walletUuid'>,
) {
  const [held, tiers, balances, sessions, devices, recovery, publicNames] = await Promise.all([
    selectHeldKindsOf(db, [user.id]),
    selectTiers(db),
    readBalances(ledger, user.id),
    selectOpenSessions(db, user.id, dateOf(clock)),
    selectDeviceTimes(db, user.id),
    presentRecovery(db, user),
    presentPublicNames(db, user.id),
  ]);
  const tier = currentTier(tiers, microAth(balances.ATH));
  return {
    ...presentSummary(user, balances, held.get(user.id)),
    verified_at: user.createdAt.toISOString(),
    terms_version: user.termsVersion,
    terms_accepted_at: user.termsAcceptedAt?.toISOString() ?? null,
    tier: tier === undefined ? null : { id: tier.id, title: tier.title },
    owed: Object.entries(balances).flatMap(([asset, units]) => (units < 0n ? [asset] : [])),
    sessions: sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAt.toISOString(),
      refreshed_at: session.refreshedAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    })),
    devices: devices.map((device) => ({
      first_seen_at: device.firstSeenAt.toISOString(),
      last_seen_at: device.lastSeenAt.toISOString(),
    })),
    public_names: publicNames,
    recovery,
    is_own: user.uuid === walletUuid,
  };
}
