/** The command `npm run system:tell`: records that a backup was made or tried out, for the console to show. */
import { dateOf, systemClock } from '../clock.ts';
import { openDatabase } from '../database/database.ts';
import { createLog } from '../log/log.ts';
import { TOLD_KINDS, upsertTold, type ToldKind } from './processes.sql.ts';

const USAGE = `npm run system:tell -- backup [NOTE]         a backup was made just now
npm run system:tell -- restore_test [NOTE]   a backup was restored and looked at just now`;
const NOTE_LENGTH_MAX = 200;

class TellRefusedError extends Error {
  override readonly name = 'TellRefusedError';
}

const isKind = (word: string | undefined): word is ToldKind =>
  TOLD_KINDS.some((kind) => kind === word);

/** Returns the text to print. Throws TellRefusedError if the words are not usable. */
export async function tellCommand(databaseUrl: string, words: readonly string[]): Promise<string> {
  const [kind, ...rest] = words;
  const note = rest.join(' ');
  if (!isKind(kind) || note.length > NOTE_LENGTH_MAX) throw new TellRefusedError(USAGE);
  const database = openDatabase(databaseUrl, createLog('error'));
  try {
    const at = dateOf(systemClock);
    await upsertTold(database.db, { kind, at, toldAt: at, note });
    return `${kind}: ${at.toISOString()}`;
  } finally {
    await database.close();
  }
}
