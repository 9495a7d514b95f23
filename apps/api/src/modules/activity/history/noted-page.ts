/** A page of those movements that a user has noted something about. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import { AppError } from '../../../platform/errors.ts';
import type { SealedColumns } from '../../../platform/sealed.ts';
import { findEntry } from './find-entry.ts';
import type { HistoryFilter, PageDeps } from './history-page.ts';
import { isNoted, readNotes, type NoteFilter } from './notes.ts';

const CURSOR_PATTERN = /^noted~(\d{1,18})$/;

interface NotedPage {
  readonly items: readonly HistoryItem[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

const isInRange = (
  { type, data }: HistoryItem,
  filter: Pick<HistoryFilter, 'type' | 'from' | 'to'>,
): boolean => {
  const atMs = Date.parse(data.date);
  return (
    (filter.type === undefined || filter.type === type) &&
    (filter.from === undefined || atMs >= filter.from.getTime()) &&
    (filter.to === undefined || atMs < filter.to.getTime())
  );
};

/**
 * Newest first. Looks at `limit` noted movements, so that a page may be short or empty although more follow. Throws `invalid_request`
 * for a cursor of another list.
 */
export async function readNotedPage(
  deps: PageDeps & { readonly sealed: SealedColumns },
  filter: HistoryFilter & NoteFilter,
  cursor: string | undefined,
): Promise<NotedPage> {
  const { db, index } = deps;
  const { userId, limit } = filter;
  const [, before] = CURSOR_PATTERN.exec(cursor ?? '') ?? [];
  if (cursor !== undefined && before === undefined) {
    throw new AppError('invalid_request', { detail: 'Send next_cursor of the page before.' });
  }
  const ids = (await readNotes(deps, userId))
    .filter(isNoted(filter))
    .map(({ movementId }) => movementId)
    .filter((id) => before === undefined || id < BigInt(before));
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
