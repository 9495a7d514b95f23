/** The history sources of all capabilities, indexed by transfer kind and by history type. */
import type { HistoryItem } from '@athos/contract/wallet/history';
import type {
  HistoryDirection,
  HistorySource,
  HistoryType,
  TitledLine,
  UnpostedLines,
} from '../../../capability.ts';
import { userIdOfAccount, type JournalTransfer, type TransferKind } from '../../../ledger/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';

/** A transfer that is not presented yet, or a presented line without a transfer. */
export type HistoryEntry =
  | { readonly id: bigint; readonly transfer: JournalTransfer }
  | { readonly id: bigint; readonly item: HistoryItem };

export interface HistoryIndex {
  /**
   * The kinds of transfers that appear under a type and a direction, separately for transfers that the user paid and received.
   * `undefined` includes all types or directions.
   */
  kindsOf(
    type: HistoryType | undefined,
    direction: HistoryDirection | undefined,
  ): {
    readonly paid: readonly TransferKind[];
    readonly received: readonly TransferKind[];
  };
  /** `undefined` for a transfer that users do not see. */
  typeOf(transfer: JournalTransfer, userId: bigint): HistoryType | undefined;
  readonly unposted: readonly UnpostedLines[];
  /** The titles of the user's purchases, the newest of each capability. */
  titlesOf(db: Db, userId: bigint, limit: number): Promise<readonly TitledLine[]>;
  /** Presents the entries in their order. The sources read in parallel, each only once. */
  present(db: Db, userId: bigint, entries: readonly HistoryEntry[]): Promise<HistoryItem[]>;
}

export function indexHistory(sources: readonly HistorySource[]): HistoryIndex {
  const known = new Map(
    sources.flatMap((source) => source.kinds.map((names) => [names.kind, { ...names, source }])),
  );

  return {
    kindsOf(type, direction) {
      const kindsOn = (side: 'paid' | 'received') =>
        [...known.values()].flatMap((names) =>
          names[side] !== undefined && (type === undefined || names[side] === type)
            ? [names.kind]
            : [],
        );
      return {
        paid: direction === 'in' ? [] : kindsOn('paid'),
        received: direction === 'out' ? [] : kindsOn('received'),
      };
    },
    typeOf({ kind, debitAccountId }, userId) {
      const isPayer = userIdOfAccount(debitAccountId) === userId;
      return isPayer ? known.get(kind)?.paid : known.get(kind)?.received;
    },
    unposted: sources.flatMap(({ unposted }) => unposted ?? []),
    async titlesOf(db, userId, limit) {
      const readers = sources.flatMap(({ titles }) => titles ?? []);
      const lists = await Promise.all(readers.map((read) => read(db, userId, limit)));
      return lists.flat();
    },
    async present(db, userId, entries) {
      const transfers = entries.flatMap((entry) => ('transfer' in entry ? [entry.transfer] : []));
      const bySource = Map.groupBy(transfers, ({ kind }) => known.get(kind)?.source);
      const items = new Map<bigint, HistoryItem>();
      await Promise.all(
        [...bySource].map(async ([source, own]) => {
          const presented = (await source?.present(db, userId, own)) ?? [];
          for (const [index, item] of presented.entries()) {
            items.set(own[index]?.transferId ?? 0n, item);
          }
        }),
      );
      return entries.map((entry) => {
        const item = 'item' in entry ? entry.item : items.get(entry.id);
        invariant(item !== undefined, 'the walk returns only kinds that have a source');
        return item;
      });
    },
  };
}
