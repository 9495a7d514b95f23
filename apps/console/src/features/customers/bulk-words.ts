import type { BulkActName } from '@athos/contract/console/bulk';
import type { Permission } from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';

export type { BulkActName };

interface BulkWords {
  readonly permission: Permission;
  readonly title: () => string;
  /** The effect, with the number of customers. */
  readonly effect: (facts: { count: number }) => string;
  readonly start: (facts: { count: number }) => string;
}

export const BULK_ACTS: Readonly<Record<BulkActName, BulkWords>> = {
  'customer.end_sessions': {
    permission: 'customers.end_sessions',
    title: m.customers_bulk_sign_out,
    effect: m.customers_bulk_sign_out_effect,
    start: m.customers_bulk_sign_out_start,
  },
  'hold.place': {
    permission: 'customers.hold',
    title: m.customers_bulk_hold,
    effect: m.customers_bulk_hold_effect,
    start: m.customers_bulk_hold_start,
  },
  'customer.note': {
    permission: 'customers.note',
    title: m.customers_bulk_note,
    effect: m.customers_bulk_note_effect,
    start: m.customers_bulk_note_start,
  },
};

const wordsOf = (act: string): BulkWords | undefined =>
  (BULK_ACTS as Readonly<Partial<Record<string, BulkWords>>>)[act];

/** The title of a run's action, which the server names. */
export const bulkTitle = (act: string): string => wordsOf(act)?.title() ?? act;

/** The permission that a run's action requires. */
export const bulkPermission = (act: string): Permission | undefined => wordsOf(act)?.permission;
