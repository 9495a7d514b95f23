/** The command `npm run programme`: lists, shows, sets and resets the programme's settings in a database. */
import { PROGRAMME_SETTINGS } from '@athos/contract/programme';
import { dateOf, systemClock } from '../clock.ts';
import { openDatabase, type Db } from '../database/database.ts';
import { createLog } from '../log/log.ts';
import { changeProgramme, SettingRefusedError } from './programme-settings.ts';
import { selectSettings } from './programme-settings.sql.ts';

const USAGE = `npm run programme -- list              shows every setting
npm run programme -- get KEY           shows one
npm run programme -- set KEY VALUE     sets it, for all processes at once
npm run programme -- reset KEY         returns it to its default`;

const settings = Object.values(PROGRAMME_SETTINGS);

async function show(db: Db, key?: string): Promise<string> {
  const stored = await selectSettings(db);
  const shown = settings.filter((setting) => key === undefined || setting.key === key);
  if (shown.length === 0) throw new SettingRefusedError(`${key}: there is no such setting`);
  return shown
    .map((setting) => {
      const isStored = stored.has(setting.key);
      const byDefault = textOf(setting.byDefault);
      const value = isStored ? JSON.stringify(stored.get(setting.key)) : byDefault;
      return `${setting.key} = ${value}${isStored ? `, by default ${byDefault}` : ''}\n    ${setting.about}`;
    })
    .join('\n');
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** Numbers are stored as numbers, a JSON object as an object, anything else as text. */
function valueOf(text: string): unknown {
  if (/^\d+(\.\d+)?$/.test(text)) return JSON.parse(text);
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingRefusedError('The value is not JSON.', { cause: error });
  }
}

/** Returns the text to print. Throws SettingRefusedError if the words or the value are not usable. */
export async function programmeCommand(
  databaseUrl: string,
  words: readonly string[],
  by: string,
): Promise<string> {
  const [verb, key, value] = words;
  const change = { at: dateOf(systemClock), by };
  const database = openDatabase(databaseUrl, createLog('error'));
  const { db } = database;
  try {
    switch (`${verb} ${words.length - 1}`) {
      case 'list 0':
        return await show(db);
      case 'get 1':
        return await show(db, key);
      case 'set 2':
        await changeProgramme(db, { ...change, key: key ?? '', value: valueOf(value ?? '') });
        return await show(db, key);
      case 'reset 1':
        await changeProgramme(db, { ...change, key: key ?? '', value: undefined });
        return await show(db, key);
      default:
        throw new SettingRefusedError(USAGE);
    }
  } finally {
    await database.close();
  }
}
