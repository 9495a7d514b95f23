/** The server's part of sharing contacts: the rule of `modules/contacts` in memory. */
import type { AnswerOf } from '@athos/contract/api';
import { CONTACTS_MAX } from '@athos/domain/contacts';
import type { ContactChange } from '../src/state/merge-contacts.ts';

type Kept = AnswerOf<'contacts'>['contacts'][number];

export interface ContactServer {
  readonly rows: Map<string, Kept>;
  readonly list: () => Kept[];
  /** Sorted names and addresses of all contacts that are not deleted. */
  readonly pairs: () => string[];
  /** Returns false if there was no room. */
  readonly change: (changes: readonly ContactChange[]) => boolean;
}

export function contactServer(): ContactServer {
  const rows = new Map<string, Kept>();
  const list = (): Kept[] => [...rows.values()];
  const isNewer = (next: ContactChange, now: Kept | undefined): boolean =>
    now === undefined ||
    next.version > now.version ||
    (next.version === now.version && next.state === 'deleted' && now.state !== 'deleted');
  return {
    rows,
    list,
    pairs: () =>
      list()
        .flatMap((row) => (row.state === 'live' ? [`${row.alias} ${row.address}`] : []))
        .toSorted(),
    change(changes) {
      const next = new Map(rows);
      for (const change of changes) {
        if (isNewer(change, next.get(change.id))) next.set(change.id, change);
      }
      if ([...next.values()].filter(({ state }) => state !== 'deleted').length > CONTACTS_MAX) {
        return false;
      }
      for (const [id, row] of next) rows.set(id, row);
      return true;
    },
  };
}
