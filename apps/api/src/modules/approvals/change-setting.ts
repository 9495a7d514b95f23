/** Changing a setting of the programme, including approval policies, needs a vote of the other organisation. */
import { z } from 'zod';
import { isBrakeKey } from '@athos/contract/brakes';
import { PROGRAMME_SETTINGS } from '@athos/contract/programme';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  changeProgrammeInTx,
  SettingRefusedError,
} from '../../platform/settings/programme-settings.ts';
import { lockSettings, selectSettings } from '../../platform/settings/programme-settings.sql.ts';

const settingChange = z.object({ key: z.string(), value: z.json() });

interface SettingDeps {
  readonly clock: Clock;
}

/** The value of a setting, or null if it has its default. */
async function storedValue(tx: Tx, key: string): Promise<unknown> {
  return (await selectSettings(tx)).get(key) ?? null;
}

/** Translates the error of an invalid value. */
async function changing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof SettingRefusedError)) throw error;
    throw new AppError('invalid_request', { detail: error.message, cause: error });
  }
}

export const settingAction: Action<SettingDeps, z.output<typeof settingChange>> = {
  name: 'setting.change',
  subjectType: 'setting',
  permission: 'settings.edit',
  policy: 'settingPolicy',
  unit: 'ATH',
  payload: settingChange,
  async lock(_deps, tx, { payload }) {
    const isKnown = Object.values(PROGRAMME_SETTINGS).some(({ key }) => key === payload.key);
    if (!isKnown || isBrakeKey(payload.key)) throw new AppError('not_found');
    await lockSettings(tx);
  },
  async preview({ clock }, tx, { payload: { key, value }, requestedBy }) {
    const before = await storedValue(tx, key);
    const change = { key, value: value ?? undefined, by: requestedBy.staffId, at: dateOf(clock) };
    await changing(changeProgrammeInTx(tx, change, { isTrial: true }));
    return {
      subjectId: key,
      version: JSON.stringify(before),
      before: { value: before },
      after: { value },
    };
  },
  async execute({ clock }, tx, { payload: { key, value }, requestedBy }) {
    const by = `console: ${requestedBy.staffId}`;
    const change = { key, value: value ?? undefined, by, at: dateOf(clock) };
    await changing(changeProgrammeInTx(tx, change, { isTrial: false }));
  },
};
