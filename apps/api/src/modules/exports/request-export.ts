/** Requesting a file: which files a person may export, and when the addresses of many customers need a vote. */
import { randomFillSync } from 'node:crypto';
import { z } from 'zod';
import type { consoleApi } from '@athos/contract/console/calls';
import { EXPORTED_CONTACTS_MAX } from '@athos/contract/console/console-call';
import { EXPORT_LISTS, type ExportContent } from '@athos/contract/console/exports';
import type { ListCount } from '@athos/contract/console/lists';
import type { Permission } from '@athos/contract/console/permissions';
import { uuidv7 } from '@athos/domain/uuid';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { ActInput } from '../../platform/console/act.ts';
import { requirePermission, type SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { perform, type PerformDeps } from '../approvals/index.ts';
import { actorOf, lockStaff } from '../staff/index.ts';
import { venuesSeenBy } from '../tickets/index.ts';
import { insertExport, sumContacts, type ExportRow } from './exports.sql.ts';
import type { ExportList } from './export-list.ts';
import { EXPORT_LIST } from './lists.ts';

const listRequest = z.object({
  list: z.enum(EXPORT_LISTS),
  /** The filters in the form that the list accepts. */
  filters: z.record(z.string(), z.json()),
  /** Whether customers' e-mail addresses are shown without the mask. */
  isContactShown: z.boolean(),
});
export type ListAsked = z.output<typeof listRequest>;

/** Whether staff who are bound to venues get only the rows of their venues in this list. */
const isOfVenues = (list: ExportContent): boolean => list === 'scans' || list === 'redemptions';

/** The list that a call requests. Filters were parsed by the schema of the list. */
export async function listAsked(
  tx: Tx,
  body: z.output<(typeof consoleApi)['exportList']['body']>,
  staff: SignedInStaff,
): Promise<ListAsked> {
  const isContactShown = body.list === 'customers' && body.with_contact;
  const more = {
    ...(isContactShown && { isContactShown }),
    ...(body.list === 'approvals' && { staffId: staff.staffId }),
    ...(isOfVenues(body.list) && { seenVenueIds: (await venuesSeenBy(tx, staff)) ?? null }),
  };
  // Converted through JSON, which leaves out values that were not given.
  const filters = JSON.parse(JSON.stringify({ ...body.filters, ...more })) as ListAsked['filters'];
  return { list: body.list, filters, isContactShown };
}

const listOf = ({ list }: ListAsked) =>
  (EXPORT_LIST as unknown as Record<string, ExportList<unknown, unknown>>)[list];

type Shown = Pick<ListAsked, 'list' | 'isContactShown'>;

const permissionsFor = (asked: Shown): readonly Permission[] => [
  EXPORT_LIST[asked.list].permission,
  ...(asked.isContactShown ? (['customers.contact'] as const) : []),
];

/** Throws `permission_missing` unless the person may read the list in the form in which it would be written. */
export function requireGrants(staff: SignedInStaff, asked: Shown): void {
  for (const permission of permissionsFor(asked)) requirePermission(permission, staff);
}

const venueExport = z.object({ seenVenueIds: z.array(z.int()).nullable() });

/** Throws `not_found` if the file contains rows of venues that the person may no longer see. */
async function requireSeenVenues(db: Db | Tx, staff: SignedInStaff, filters: unknown) {
  const { seenVenueIds } = venueExport.parse(filters);
  const seen = await venuesSeenBy(db, staff);
  if (seen === undefined) return;
  const isSeen = seenVenueIds?.every((id) => seen.includes(id)) === true;
  if (!isSeen) throw new AppError('not_found', { detail: 'Export the list again.' });
}

/** The same check for a written file: a role or a venue may have been removed since it was requested. */
export async function requireReadable(
  db: Db | Tx,
  staff: SignedInStaff,
  { content, filters }: { readonly content: ExportContent; readonly filters: unknown },
): Promise<void> {
  if (isOfVenues(content)) await requireSeenVenues(db, staff, filters);
  if (content === 'person') return requirePermission('customers.export_person', staff);
  const { isContactShown } = z
    .object({ isContactShown: z.boolean().default(false) })
    .parse(filters);
  requireGrants(staff, { list: content, isContactShown });
}

export function countAsked(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  asked: ListAsked,
): Promise<ListCount> {
  const list = listOf(asked);
  invariant(list !== undefined, 'every list of the contract can be exported');
  return list.count(tx, asked.filters, dateOf(clock));
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether somebody else must agree: for whole addresses of many customers, in one file or in the files of 24 hours. */
export async function takesVote(
  { clock }: { readonly clock: Clock },
  { tx, staff }: Pick<ActInput, 'tx' | 'staff'>,
  { asked, count }: { readonly asked: ListAsked; readonly count: ListCount },
): Promise<boolean> {
  if (!asked.isContactShown) return false;
  // The lock makes concurrent files of one person share the remaining allowance.
  await lockStaff(tx, staff.staffId);
  const before = await sumContacts(tx, staff.staffId, new Date(clock.nowMs() - DAY_MS));
  return before + count.value > EXPORTED_CONTACTS_MAX;
}

/** A failure is final, so only a run whose worker died is repeated. */
const ATTEMPT_COUNT_MAX = 5;

interface FileAsked {
  readonly list: ExportContent;
  readonly filters: object;
  readonly staffId: string;
  readonly userId?: bigint;
  readonly count?: ListCount;
}

export async function requestExport(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { list, filters, staffId, userId, count }: FileAsked,
): Promise<ExportRow> {
  const at = dateOf(clock);
  const id = uuidv7(at.getTime(), (bytes) => randomFillSync(bytes));
  const row = await insertExport(tx, {
    id,
    staff_id: staffId,
    content: list,
    filters: JSON.stringify(filters),
    user_id: userId ?? null,
    rows_total: count === undefined || count.is_at_least ? null : BigInt(count.value),
    created_at: at,
  });
  await enqueueJob(tx, 'export_run', { id }, { attemptCountMax: ATTEMPT_COUNT_MAX });
  return row;
}

/** Writes the addresses of more customers than one person may export alone. The requester gets the file. */
export const contactsAction: Action<{ readonly clock: Clock }, ListAsked> = {
  name: 'export.create',
  subjectType: 'export',
  // The vote is with those who decide on the erasure of customers, because no permission to export includes deciding.
  permission: 'customers.erase',
  policy: 'personExportPolicy',
  unit: 'ATH',
  payload: listRequest,
  lock: () => Promise.resolve(),
  async preview(deps, tx, { id, payload }) {
    const { value, is_at_least: isAtLeast } = await countAsked(deps, tx, payload);
    const people = isAtLeast ? `more than ${value}` : value;
    const { list, filters } = payload;
    // The number of customers changes all the time, so it is not part of the version.
    return { subjectId: id, version: 'open', before: null, after: { list, ...filters, people } };
  },
  async execute(deps, tx, { payload, ...call }) {
    for (const permission of permissionsFor(payload)) await actorOf(tx, call, permission);
    const { list, filters } = payload;
    const count = await countAsked(deps, tx, payload);
    await requestExport(deps, tx, { list, filters, staffId: call.requestedBy.staffId, count });
  },
};

export async function askForContacts(
  deps: PerformDeps,
  act: Pick<ActInput, 'staff' | 'tx' | 'key' | 'record'>,
  { asked, reason }: { readonly asked: ListAsked; readonly reason: string },
) {
  const performed = await perform(deps, act, contactsAction, { payload: asked, reason });
  invariant(performed.outcome === 'requested', 'nothing is measured, so somebody has to vote');
  return performed;
}
