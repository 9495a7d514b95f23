/** The acts that can be done for many customers at once: the acts for one customer, each with its own permission and audit entry. */
import type { BulkAct, BulkActName } from '@athos/contract/console/bulk';
import { consoleApi } from '@athos/contract/console/calls';
import type { ConsoleWrite } from '@athos/contract/console/console-call';
import type { Permission } from '@athos/contract/console/permissions';
import type { CustomerAct } from '../../../platform/console/act.ts';
import { placeHoldByStaff, type HoldDeps } from '../../holds/index.ts';
import { addNote, endSessions, type CustomerActDeps } from '../acts.ts';

export type BulkDeps = CustomerActDeps & HoldDeps;

const CALLS = {
  'customer.end_sessions': consoleApi.endCustomerSessions,
  'hold.place': consoleApi.placeHold,
  'customer.note': consoleApi.addNote,
} as const satisfies Readonly<Record<BulkActName, ConsoleWrite>>;

/** The permission that the requester needs, at the request and while it runs. */
export const permissionOf = (name: BulkActName): Permission => CALLS[name].permission;

export const auditOf = (name: BulkActName): ConsoleWrite['audit'] => CALLS[name].audit;

/** Does the act for one customer, like the call of that act. */
export async function actOn(
  deps: BulkDeps,
  act: CustomerAct,
  {
    uuid,
    what,
    reason,
  }: { readonly uuid: string; readonly what: BulkAct; readonly reason: string },
): Promise<void> {
  switch (what.name) {
    case 'customer.end_sessions':
      return endSessions(deps, act, { uuid, reason });
    case 'hold.place':
      return placeHoldByStaff(deps, act, {
        uuid,
        kinds: what.kinds,
        reason,
        endsAt: what.ends_at === undefined ? undefined : new Date(what.ends_at),
      });
    case 'customer.note':
      await addNote(deps, act, { uuid, text: what.text });
  }
}
