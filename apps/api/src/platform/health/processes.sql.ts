/** Statements on the running programs and on recorded backups. */
import { sql, type ColumnType } from 'kysely';
import type { Db } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import type { Outside, Reached } from './reach.ts';

type Outsides = Readonly<Record<Outside, Reached>>;

interface ProgramProcesses {
  id: string;
  program: string;
  version: string;
  started_at: Date;
  seen_at: Date;
  memory_bytes: bigint;
  loop_delay_ms: number;
  key_ids: ColumnType<string[], string | undefined, string>;
  outside: ColumnType<Outsides, string, string>;
}

export const TOLD_KINDS = ['backup', 'restore_test'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

interface ToldEvents {
  kind: ToldKind;
  at: Date;
  told_at: Date;
  note: string;
}

declare module '../database/tables.ts' {
  interface Tables {
    program_processes: ProgramProcesses;
    told_events: ToldEvents;
  }
}

interface ProcessState {
  readonly id: string;
  readonly program: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly memoryBytes: bigint;
  readonly loopDelayMs: number;
  readonly outside: Outsides;
}

/** `keyIds`: the signing keys that the process verifies with. */
export async function upsertProcess(
  db: Db,
  state: ProcessState & { readonly keyIds: readonly string[] },
): Promise<void> {
  const changing = {
    seen_at: state.seenAt,
    memory_bytes: state.memoryBytes,
    loop_delay_ms: state.loopDelayMs,
    outside: JSON.stringify(state.outside),
    key_ids: `{${state.keyIds.join()}}`,
  };
  await db
    .insertInto('program_processes')
    .values({
      id: state.id,
      program: state.program,
      version: state.version,
      started_at: state.startedAt,
      ...changing,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
}

/** The ids of the signing keys that each other API process verifies with, if it was seen after `seenSince` and reports them. */
export async function selectKeyIdsOfOthers(
  db: Db,
  ownId: string,
  seenSince: Date,
): Promise<string[][]> {
  const rows = await db
    .selectFrom('program_processes')
    .select('key_ids')
    .where('program', '=', 'api')
    .where('id', '<>', ownId)
    .where('seen_at', '>', seenSince)
    .execute();
  return rows.map((row) => row.key_ids).filter(({ length }) => length > 0);
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('program_processes').where('id', '=', id).execute();
}

export const deleteOldProcesses = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'program_processes', sql`seen_at < ${before}`);

const PROCESSES_SHOWN_MAX = 100;

export const selectProcesses = (db: Db): Promise<ProcessState[]> =>
  db
    .selectFrom('program_processes')
    .select([
      'id',
      'program',
      'version',
      'started_at as startedAt',
      'seen_at as seenAt',
      'memory_bytes as memoryBytes',
      'loop_delay_ms as loopDelayMs',
      'outside',
    ])
    .orderBy('program')
    .orderBy('started_at')
    .orderBy('id')
    .limit(PROCESSES_SHOWN_MAX)
    .execute();

export const selectTold = (db: Db) =>
  db.selectFrom('told_events').select(['kind', 'at', 'note']).execute();

export async function upsertTold(
  db: Db,
  told: {
    readonly kind: ToldKind;
    readonly at: Date;
    readonly toldAt: Date;
    readonly note: string;
  },
): Promise<void> {
  const { kind, at, toldAt, note } = told;
  await db
    .insertInto('told_events')
    .values({ kind, at, told_at: toldAt, note })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet({ at, told_at: toldAt, note }))
    .execute();
}
