/** Reads and changes the programme's settings, whose keys, schemas and defaults are in packages/contract/src/programme.ts. */
import {
  PROGRAMME_SETTINGS,
  readProgrammeSettings,
  type ProgrammeSettings,
} from '@athos/contract/programme';
import type { Db, Tx } from '../database/database.ts';
import type { Notifications } from '../database/notifications.ts';
import { createRemembered } from '../database/remembered.ts';
import type { Log } from '../log/log.ts';
import {
  deleteSetting,
  lockSettings,
  notifyProgrammeChanged,
  PROGRAMME_CHANGED,
  selectSettings,
  upsertSetting,
} from './programme-settings.sql.ts';

/** Reads the settings in force. They are cached by the process, so reading them costs no query. */
export type ReadProgramme = () => Promise<ProgrammeSettings>;

interface ReaderDeps {
  readonly db: Db;
  readonly notifications: Notifications;
  readonly log: Log;
}

/** A stored value that is not usable leaves its default in force and raises an alarm. */
export function createReadProgramme({ db, notifications, log }: ReaderDeps): ReadProgramme {
  return createRemembered({
    notifications,
    channel: PROGRAMME_CHANGED,
    async read() {
      const { settings, faults } = readProgrammeSettings(await selectSettings(db));
      if (faults.length > 0) {
        log.error({ alarm: 'programme_setting', faults }, 'a setting of the programme is unusable');
      }
      return settings;
    },
  });
}

/** Lists every fault of a refused change, each with its key. */
export class SettingRefusedError extends Error {
  override readonly name = 'SettingRefusedError';
}

interface SettingChange {
  readonly key: string;
  /** `undefined` returns the setting to its default. */
  readonly value: unknown;
  readonly by: string;
  readonly at: Date;
}

/** Changes one setting for all processes. Throws SettingRefusedError if that would make a setting unusable, and changes nothing. */
export const changeProgramme = (db: Db, change: SettingChange): Promise<void> =>
  db.transaction().execute((tx) => changeProgrammeInTx(tx, change, { isTrial: false }));

/** Does the same inside the caller's transaction; a trial only checks and throws. */
export async function changeProgrammeInTx(
  tx: Tx,
  change: SettingChange,
  { isTrial }: { readonly isTrial: boolean },
): Promise<void> {
  const { key, value } = change;
  if (!Object.values(PROGRAMME_SETTINGS).some((setting) => setting.key === key)) {
    throw new SettingRefusedError(`${key}: there is no such setting`);
  }
  await lockSettings(tx);
  const stored = await selectSettings(tx);
  const before = readProgrammeSettings(stored);
  if (value === undefined) stored.delete(key);
  else stored.set(key, value);
  // Other values may be unusable already, for example after an upgrade, and each is fixed by a change of its own.
  const faults = readProgrammeSettings(stored).faults.filter(
    (fault) => fault.startsWith(`${key}: `) || !before.faults.includes(fault),
  );
  if (faults.length > 0) throw new SettingRefusedError(faults.join('\n'));
  if (isTrial) return;
  if (value === undefined) await deleteSetting(tx, key);
  else await upsertSetting(tx, { ...change, key, value });
  await notifyProgrammeChanged(tx);
}
