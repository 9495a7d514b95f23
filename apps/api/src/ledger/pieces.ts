/**
 * Keeps the pieces of the journal (docs/ledger.md, "Pieces"). The next piece is made as soon as there is none, weeks before it is needed,
 * and the current piece is ended once it is old or large enough. Postings continue during both, and even if a piece is missing.
 */
import { sql, type QueryExecutorProvider } from 'kysely';
import { invariant } from '../platform/errors.ts';
import type { Log } from '../platform/log/log.ts';

export interface PieceLimits {
  readonly daysMax: number;
  /** The size including indexes. */
  readonly bytesMax: number;
}

/** A backup, a vacuum and a move to the bucket each process a whole piece at once, so its size bounds their work. */
const LIMITS: PieceLimits = { daysMax: 30, bytesMax: 100 * 2 ** 30 };
/** Leaves time to find out why the next piece could not be made. */
const MADE_AHEAD_DAYS = 2;

interface Piece {
  readonly hasNext: boolean;
  readonly daysLeft: number;
}

/** Selects how many days the current piece lasts if it keeps growing at the rate since its first transfer. */
async function selectPiece(
  db: QueryExecutorProvider,
  { daysMax, bytesMax }: PieceLimits,
): Promise<Piece> {
  const { rows } = await sql<Piece>`
    select ledger_newest_piece() > piece.number as "hasNext",
           coalesce(
             least(${daysMax}::float8 - grown.days, grown.days * (${bytesMax}::float8 / grown.bytes - 1)),
             ${daysMax}::float8) as "daysLeft"
      from (select piece_first_id as first_id, piece_first_id / 17592186044416 as number, posted_at from ledger_head) piece,
           lateral (
             select pg_total_relation_size(format('ledger_transfers_%s', piece.number)::regclass)::float8 as bytes,
                    (extract(epoch from greatest(piece.posted_at, ledger_clock()) - (
                      select at from ledger_transfers where id >= piece.first_id order by id limit 1)) / 86400)::float8 as days) grown`.execute(
    db,
  );
  const [piece] = rows;
  invariant(piece !== undefined, 'the ledger has a head');
  return piece;
}

/**
 * Ends the current piece if it is due, and makes the next one if it is missing. Throws if that fails, and raises an alarm if the next
 * piece is needed within two days.
 */
export async function keepPieces(
  db: QueryExecutorProvider,
  log: Log,
  limits: PieceLimits = LIMITS,
): Promise<void> {
  const { hasNext, daysLeft } = await selectPiece(db, limits);
  if (hasNext) {
    if (daysLeft < 0) await sql`select ledger_begin_piece()`.execute(db);
    return;
  }
  try {
    await sql`select ledger_add_piece()`.execute(db);
  } catch (error) {
    if (daysLeft < MADE_AHEAD_DAYS) {
      log.error({ alarm: 'journal_piece_missing', daysLeft }, 'the journal has no next piece');
    }
    throw error;
  }
}
