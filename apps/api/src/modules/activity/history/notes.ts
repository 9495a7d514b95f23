/** Private notes and labels of movements. They are sealed, so that a copy of the database does not reveal them. */
import { z } from 'zod';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Log } from '../../../platform/log/log.ts';
import { SealedValueError, type SealedColumns } from '../../../platform/sealed.ts';
import { lockOwner } from '../../identity/index.ts';
import { countOtherNotes, deleteNote, selectNotes, upsertNote } from './notes.sql.ts';

export interface NoteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealed: SealedColumns;
}

/** All notes of a user are read at once, which takes some 20 ms for this many. */
const NOTES_MAX = 2_000n;

const content = z.object({ note: z.string(), labels: z.array(z.string()) });

export interface MovementNote extends z.infer<typeof content> {
  readonly movementId: bigint;
}

const cellOf = (userId: bigint, movementId: bigint) => ({
  table: 'movement_notes',
  column: 'sealed',
  rowId: `${userId}.${movementId}`,
});

/** Reads the notes of a user, of the newest movement first. One that does not open is left out, so that it costs its owner no other. */
export async function readNotes(
  { db, sealed, log }: Pick<NoteDeps, 'db' | 'sealed' | 'log'>,
  userId: bigint,
): Promise<MovementNote[]> {
  return (await selectNotes(db, userId)).flatMap(({ movementId, sealed: text }) => {
    try {
      const opened = content.parse(JSON.parse(sealed.open(cellOf(userId, movementId), text)));
      return { movementId, ...opened };
    } catch (error) {
      if (!(error instanceof SealedValueError)) throw error;
      log.error({ err: error, userId: userId.toString() }, 'a note could not be opened');
      return [];
    }
  });
}

/** Replaces the note of a movement; an empty one is deleted. Throws `too_many_notes`, `session_ended`. */
export async function writeNote(
  { db, clock, sealed }: NoteDeps,
  userId: bigint,
  { movementId, note, labels }: MovementNote,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockOwner(tx, userId);
    if (note === '' && labels.length === 0) return deleteNote(tx, userId, movementId);
    if ((await countOtherNotes(tx, userId, movementId)) >= NOTES_MAX) {
      throw new AppError('too_many_notes');
    }
    const text = JSON.stringify({ note, labels });
    const cell = cellOf(userId, movementId);
    await upsertNote(tx, userId, {
      movementId,
      sealed: sealed.seal(cell, text),
      at: dateOf(clock),
    });
  });
}

export interface NoteFilter {
  /** Part of a note or a label, regardless of case. */
  readonly text: string | undefined;
  /** A whole label, regardless of case. */
  readonly label: string | undefined;
}

/** Normalizes a text for comparison, regardless of case and of wide letters. */
export const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

export const isNoted =
  ({ text, label }: NoteFilter) =>
  ({ note, labels }: MovementNote): boolean => {
    const plainLabels = labels.map(plain);
    const isFound =
      text === undefined || [plain(note), ...plainLabels].some((own) => own.includes(plain(text)));
    return isFound && (label === undefined || plainLabels.includes(plain(label)));
  };
