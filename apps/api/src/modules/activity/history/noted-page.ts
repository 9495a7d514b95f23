/** A page of the movements whose note, label or purchase title matches a search. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import { athHundredths, microAthFromHundredths, parseUnits } from '@athos/domain/money';
import type { HistoryDirection } from '../../../capability.ts';
import { selectTransferIds } from '../../../ledger/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { findEntry } from './find-entry.ts';
import type { HistoryFilter, PageDeps } from './history-page.ts';
import { isNoted, plain, readNotes, type NoteFilter, type NoteDeps } from './notes.ts';

const CURSOR_PATTERN = /^noted~(\d{1,18})$/;

interface NotedPage {
  readonly items: readonly HistoryItem[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

/** All titles are read at once, which takes about as long as reading a user's notes. */
const TITLES_MAX = 2_000;

/** The amount that moved, and in which direction: none for a failed payment. */
function movedOf({ type, data }: HistoryItem): {
  readonly direction: HistoryDirection | undefined;
  readonly units: bigint;
} {
  switch (type) {
    case 'Purchase':
      return { direction: 'out', units: microAthFromHundredths(athHundredths(data.offer_amount)) };
    case 'Payment': {
      const direction = data.stripe_status === 1 ? 'in' : undefined;
      return { direction, units: parseUnits(data.token_amount) };
    }
    case 'Send':
      return { direction: 'out', units: parseUnits(data.amount) };
    case 'Receive':
    case 'Reward':
      return { direction: 'in', units: parseUnits(data.amount) };
  }
}

type Range = Pick<HistoryFilter, 'type' | 'from' | 'to' | 'direction' | 'amountMin' | 'amountMax'>;

function isInRange(item: HistoryItem, filter: Range): boolean {
  const atMs = Date.parse(item.data.date);
  const { direction, units } = movedOf(item);
  return (
    (filter.type === undefined || filter.type === item.type) &&
    (filter.from === undefined || atMs >= filter.from.getTime()) &&
    (filter.to === undefined || atMs < filter.to.getTime()) &&
    (filter.direction === undefined || filter.direction === direction) &&
    (filter.amountMin === undefined || units >= filter.amountMin) &&
    (filter.amountMax === undefined || units <= filter.amountMax)
  );
}

/** The movements that paid for a purchase with a matching title. */
async function findTitled(
  { db, index }: Pick<PageDeps, 'db' | 'index'>,
  userId: bigint,
  text: string | undefined,
): Promise<ReadonlySet<bigint>> {
  if (text === undefined) return new Set();
  const lines = await index.titlesOf(db, userId, TITLES_MAX);
  const found = lines.filter(({ title }) => plain(title).includes(plain(text)));
  return new Set(await selectTransferIds(db, userId, found));
}

/** The ids of matching movements, newest first. A label belongs to a note, so a title alone does not match a label. */
async function findIds(
  deps: PageDeps & Pick<NoteDeps, 'sealed' | 'log'>,
  { userId, text, label }: { readonly userId: bigint } & NoteFilter,
): Promise<bigint[]> {
  const [notes, titled] = await Promise.all([
    readNotes(deps, userId),
    findTitled(deps, userId, text),
  ]);
  const hasWords = isNoted({ text, label: undefined });
  const hasLabel = isNoted({ text: undefined, label });
  const noted = notes.filter(
    (note) => hasLabel(note) && (hasWords(note) || titled.has(note.movementId)),
  );
  const ids = noted.map(({ movementId }) => movementId);
  const all = label === undefined ? new Set([...ids, ...titled]) : ids;
  return [...all].toSorted((one, other) => (one < other ? 1 : -1));
}

/**
 * Newest first. Reads `limit` of the movements that match the text or label, so a page may be short or empty although more follow. Throws
 * `invalid_request` for a cursor of another list.
 */
export async function readNotedPage(
  deps: PageDeps & Pick<NoteDeps, 'sealed' | 'log'>,
  filter: HistoryFilter & NoteFilter,
  cursor: string | undefined,
): Promise<NotedPage> {
  const { db, index } = deps;
  const { userId, limit } = filter;
  const [, before] = CURSOR_PATTERN.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && before === undefined) {
    throw new AppError('invalid_request', { detail: 'Send next_cursor of the page before.' });
  }
  const ids = (await findIds(deps, filter)).filter(
    (id) => before === undefined || id < BigInt(before),
  );
  const looked = ids.slice(0, limit);
  const entries = await Promise.all(looked.map((id) => findEntry(deps, userId, id)));
  const found = entries.filter((entry) => entry !== undefined);
  const items = await index.present(db, userId, found);
  const last = looked.at(-1);
  return {
    items: items.filter((item) => isInRange(item, filter)),
    next: last === undefined || ids.length === looked.length ? null : `noted~${last}`,
  };
}
