/** A customer's history as the entries of a timeline, for staff. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import {
  findTransferObjects,
  type HistorySource,
  type HistoryType,
  type TimelinePage,
  type TimelineSlice,
  type TimelineSource,
  type TransferObject,
  type TransferObjects,
} from '../../../capability.ts';
import type { Ledger } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { cursorText, NEWEST, parseCursor } from './history-cursor.ts';
import { indexHistory } from './history-index.ts';
import { readHistoryPage } from './history-page.ts';

/** The history filters by one type or none, so entries of other kinds are removed afterwards. */
const TYPE_OF_KIND: Readonly<Partial<Record<TimelineKind, HistoryType>>> = {
  payment: 'Payment',
  purchase: 'Purchase',
};

function kindOf({ type }: HistoryItem): 'payment' | 'purchase' | 'movement' {
  if (type === 'Payment') return 'payment';
  return type === 'Purchase' ? 'purchase' : 'movement';
}

const presentEntry = (item: HistoryItem, object: TransferObject | undefined): TimelineEntry => ({
  kind: kindOf(item),
  id: String(item.data.id),
  at: item.data.date,
  object: object ?? null,
  data: item,
});

/** Movements, card payments and purchases. */
export function createHistoryTimeline({
  ledger,
  historySources,
  transferObjects,
}: {
  readonly ledger: Ledger;
  readonly historySources: readonly HistorySource[];
  readonly transferObjects: readonly TransferObjects[];
}): TimelineSource {
  const index = indexHistory(historySources);

  async function readPage(
    db: Db,
    { userId, kind, position }: TimelinePage,
    { limit, to }: { readonly limit: number; readonly to?: Date },
  ) {
    const type = kind === undefined ? undefined : TYPE_OF_KIND[kind];
    const whole = { direction: undefined, amountMin: undefined, amountMax: undefined };
    const filter = { userId, limit, type, from: undefined, to, ...whole };
    const from = position === undefined ? NEWEST : parseCursor(position);
    return readHistoryPage({ db, ledger, index }, filter, from);
  }

  async function read(db: Db, page: TimelinePage): Promise<TimelineSlice> {
    const { entries: found, next } = await readPage(db, page, page);
    const transfers = found.flatMap((entry) => ('transfer' in entry ? [entry.transfer] : []));
    const [items, objects] = await Promise.all([
      index.present(db, page.userId, found),
      findTransferObjects(db, transferObjects, transfers),
    ]);
    const all = items.map((item, at) => presentEntry(item, objects.get(found[at]?.id ?? 0n)));
    const entries = all.filter(({ kind }) => page.kind === undefined || kind === page.kind);
    const newest = all[0];
    return {
      entries,
      isEnd: next === undefined,
      async positionAfter(count) {
        const last = entries[count - 1];
        const readCount = last === undefined ? all.length : all.indexOf(last) + 1;
        if (readCount === all.length || newest === undefined) return cursorText(next ?? NEWEST);
        // Reads the cursor of a shorter page. Movements since the first read are left out, because otherwise they would push entries of
        // this page onto the next page again.
        const to = new Date(new Date(newest.at).getTime() + 1);
        const shorter = await readPage(db, page, { limit: readCount, to });
        return cursorText(shorter.next ?? NEWEST);
      },
    };
  }
  return { kinds: ['movement', 'payment', 'purchase'], read };
}
