/** Pulling a brake is direct, because it is safe and cannot wait. Releasing one takes a second person (decision 0032). */
import { z } from 'zod';
import { BRAKES, brakeKey, type BrakeName } from '@athos/contract/brakes';
import type { PulledBrake } from '@athos/contract/programme';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  lockSettings,
  selectStoredSettings,
} from '../../platform/settings/programme-settings.sql.ts';
import { changeProgrammeInTx } from '../../platform/settings/programme-settings.ts';

interface BrakeDeps {
  readonly clock: Clock;
}

interface StoredBrake {
  readonly pulled: PulledBrake;
  readonly at: Date;
}

/** Locks the settings. `undefined` while the brake is released. */
async function lockBrake(tx: Tx, name: BrakeName): Promise<StoredBrake | undefined> {
  await lockSettings(tx);
  const [row] = await selectStoredSettings(tx, [brakeKey(name)]);
  if (row === undefined || row.value === null) return undefined;
  return { pulled: row.value as PulledBrake, at: row.at };
}

/** Stops a part of the programme, or changes the notice of one that is stopped. */
export async function pullBrake(
  { clock }: BrakeDeps,
  { staff, tx, record }: Pick<ActInput, 'staff' | 'tx' | 'record'>,
  name: BrakeName,
  pulled: PulledBrake,
): Promise<void> {
  const before = await lockBrake(tx, name);
  const by = `console: ${staff.staffId}`;
  const change = { key: brakeKey(name), value: pulled, by, at: dateOf(clock) };
  await changeProgrammeInTx(tx, change, { isTrial: false });
  await record({ subjectId: name, before: before?.pulled ?? null, after: pulled });
}

const released = z.object({ name: z.enum(BRAKES) });

export const releaseAction: Action<BrakeDeps, z.output<typeof released>> = {
  name: 'brake.release',
  subjectType: 'brake',
  permission: 'system.release',
  policy: 'brakePolicy',
  unit: 'ATH',
  payload: released,
  lock: (_deps, tx) => lockSettings(tx),
  async preview(_deps, tx, { payload: { name } }) {
    const stored = await lockBrake(tx, name);
    if (stored === undefined) throw new AppError('state_changed');
    return {
      subjectId: name,
      // If the brake was pulled again, or for another reason, it is not the one that the voters were shown.
      version: `${stored.at.toISOString()} ${JSON.stringify(stored.pulled)}`,
      before: stored.pulled,
      after: null,
    };
  },
  async execute({ clock }, tx, { payload: { name }, requestedBy }) {
    const by = `console: ${requestedBy.staffId}`;
    const change = { key: brakeKey(name), value: undefined, by, at: dateOf(clock) };
    await changeProgrammeInTx(tx, change, { isTrial: false });
  },
};
