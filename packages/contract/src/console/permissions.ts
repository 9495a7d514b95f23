/**
 * The console's authorisation: one table of permissions and built-in roles. The server enforces it, and the console app displays it.
 * Importing this file does not load zod.
 */

/** The columns of the table, and the ids of the roles that every programme has. */
export const BUILT_IN_ROLES = [
  'provider_owner',
  'finance',
  'support',
  'brand_manager',
  'catalogue_editor',
  'scanner_lead',
  'auditor',
] as const;
export type BuiltInRole = (typeof BUILT_IN_ROLES)[number];

/**
 * `●` may act; `◐` may act within the policy of the action, and above it by request; `✔` decides on requests of others and may not act;
 * `◐✔` acts within the policy and decides on requests of others.
 */
export const MARKS = ['●', '◐', '✔', '◐✔'] as const;
export type Mark = (typeof MARKS)[number];

type Cell = Mark | '-';
/** One cell for each role, in the order of `BUILT_IN_ROLES`. */
type Row = readonly [Cell, Cell, Cell, Cell, Cell, Cell, Cell];

const TABLE = {
  'dashboard.read': ['●', '●', '●', '●', '●', '●', '●'],
  'reports.money': ['●', '●', '-', '●', '-', '-', '●'],
  'customers.read': ['●', '●', '●', '●', '-', '-', '●'],
  /** E-mail addresses without the mask. */
  'customers.contact': ['●', '-', '●', '-', '-', '-', '-'],
  'customers.note': ['●', '●', '●', '●', '-', '-', '-'],
  'customers.hold': ['●', '●', '●', '-', '-', '-', '-'],
  'customers.release': ['✔', '◐✔', '◐', '-', '-', '-', '-'],
  'customers.end_sessions': ['●', '-', '●', '-', '-', '-', '-'],
  'customers.mail': ['●', '-', '●', '-', '-', '-', '-'],
  'customers.adjust': ['✔', '◐✔', '◐', '-', '-', '-', '-'],
  'customers.write_off': ['✔', '◐', '-', '-', '-', '-', '-'],
  'customers.export_person': ['●', '-', '●', '-', '-', '-', '-'],
  'customers.erase': ['✔', '-', '◐', '-', '-', '-', '-'],
  'catalogue.read': ['●', '●', '●', '●', '●', '●', '●'],
  'catalogue.edit': ['-', '-', '-', '●', '●', '-', '-'],
  'catalogue.publish': ['-', '-', '-', '◐✔', '◐', '-', '-'],
  'catalogue.stock': ['-', '-', '-', '●', '●', '●', '-'],
  'tiers.edit': ['✔', '-', '-', '◐', '-', '-', '-'],
  'campaigns.read': ['●', '●', '●', '●', '●', '-', '●'],
  'campaigns.edit': ['-', '-', '-', '●', '-', '-', '-'],
  'campaigns.fund': ['✔', '✔', '-', '◐', '-', '-', '-'],
  'campaigns.codes': ['✔', '✔', '-', '◐', '-', '-', '-'],
  'codes.look_up': ['●', '-', '●', '●', '-', '-', '-'],
  'rate.read': ['●', '●', '-', '●', '-', '-', '●'],
  'rate.set': ['◐✔', '◐✔', '-', '-', '-', '-', '-'],
  'purchases.read': ['●', '●', '●', '●', '-', '●', '●'],
  'purchases.refund': ['✔', '◐✔', '◐', '-', '-', '-', '-'],
  /** Refunds of goods that were handed out. */
  'purchases.refund_redeemed': ['✔', '◐✔', '-', '-', '-', '-', '-'],
  'redemptions.reverse': ['✔', '-', '◐', '-', '-', '◐', '-'],
  'payments.read': ['●', '●', '●', '-', '-', '-', '●'],
  'payments.refund': ['✔', '◐✔', '◐', '-', '-', '-', '-'],
  'payments.review': ['✔', '◐', '-', '-', '-', '-', '-'],
  'disputes.manage': ['●', '●', '-', '-', '-', '-', '-'],
  'reconciliation.manage': ['●', '●', '-', '-', '-', '-', '-'],
  'ledger.read': ['●', '●', '-', '-', '-', '-', '●'],
  'ledger.verify': ['●', '●', '-', '-', '-', '-', '●'],
  'ledger.book': ['✔', '◐', '-', '-', '-', '-', '-'],
  'venues.edit': ['●', '-', '-', '●', '-', '●', '-'],
  'scanners.manage': ['●', '-', '-', '-', '-', '●', '-'],
  'scans.read': ['●', '-', '●', '●', '-', '●', '●'],
  'approvals.read': ['●', '●', '●', '●', '●', '●', '●'],
  'audit.read': ['●', '-', '-', '-', '-', '-', '●'],
  'audit.verify': ['●', '-', '-', '-', '-', '-', '●'],
  'jobs.read': ['●', '●', '●', '-', '-', '-', '●'],
  'jobs.manage': ['●', '-', '-', '-', '-', '-', '-'],
  'system.read': ['●', '●', '●', '-', '-', '●', '●'],
  /** Stops a part of the programme for everybody. */
  'system.brake': ['●', '●', '-', '-', '-', '-', '-'],
  /** Releases a stopped part. */
  'system.release': ['◐✔', '◐✔', '-', '-', '-', '-', '-'],
  'settings.read': ['●', '●', '-', '●', '-', '-', '●'],
  'settings.edit': ['◐✔', '✔', '-', '◐✔', '-', '-', '-'],
  'legal.publish': ['✔', '-', '-', '◐', '-', '-', '-'],
  'staff.read': ['●', '-', '-', '●', '-', '-', '●'],
  'staff.manage': ['◐✔', '-', '-', '◐', '-', '-', '-'],
  'exports.create': ['●', '●', '●', '●', '●', '●', '●'],
} as const satisfies Record<string, Row>;

export type Permission = keyof typeof TABLE;
export const PERMISSIONS = Object.keys(TABLE) as Permission[];

/** The grants of a role: a mark for each permission that it holds. */
export type Grants = Readonly<Partial<Record<Permission, Mark>>>;

export const BUILT_IN_GRANTS: Readonly<Record<BuiltInRole, Grants>> = grantsByRole();

function grantsByRole(): Record<BuiltInRole, Grants> {
  const grants = (column: number): Grants =>
    Object.fromEntries(
      PERMISSIONS.flatMap((permission) => {
        const cell = TABLE[permission][column];
        return cell === undefined || cell === '-' ? [] : [[permission, cell]];
      }),
    );
  return Object.fromEntries(BUILT_IN_ROLES.map((role, column) => [role, grants(column)])) as Record<
    BuiltInRole,
    Grants
  >;
}

/** Whether the mark lets its holder act, within the action's policy at least. */
export const mayAct = (mark: Mark | undefined): boolean => mark !== undefined && mark !== '✔';

/** Whether the mark lets its holder decide on the requests of others. */
export const mayDecide = (mark: Mark | undefined): boolean => mark === '✔' || mark === '◐✔';

/** The mark of a person with two roles, which allows whatever either role allows. No row of the table mixes `●` with another mark. */
function combined(one: Mark, other: Mark): Mark {
  const marks = [one, other];
  if (marks.includes('●')) return '●';
  if (!marks.some(mayDecide)) return '◐';
  return marks.some(mayAct) ? '◐✔' : '✔';
}

/** The combined grants of several roles. */
export function combineGrants(roles: readonly Grants[]): Grants {
  const held: Partial<Record<Permission, Mark>> = {};
  for (const grants of roles) {
    for (const permission of PERMISSIONS) {
      const mark = grants[permission];
      if (mark !== undefined) held[permission] = combined(held[permission] ?? mark, mark);
    }
  }
  return held;
}

/** Permissions that change nothing in the programme. The work that they start only reads, and produces a file or a report. */
const READING: ReadonlySet<string> = new Set<Permission>([
  'reports.money',
  'customers.contact',
  'customers.export_person',
  'ledger.verify',
  'audit.verify',
  'exports.create',
]);

/** Whether the permission lets its holder change something. The auditor's role may not be combined with one that does. */
export const isWriting = (permission: Permission): boolean =>
  !permission.endsWith('.read') && !READING.has(permission);

/** Permissions whose holders move value or money, request it, or decide who may. */
const MOVING: ReadonlySet<string> = new Set<Permission>([
  'customers.adjust',
  'customers.write_off',
  'customers.erase',
  'campaigns.fund',
  'campaigns.codes',
  'rate.set',
  'purchases.refund',
  'payments.refund',
  'payments.review',
  'disputes.manage',
  'reconciliation.manage',
  'ledger.book',
  'settings.edit',
  'staff.manage',
]);

/** Whether a role with these grants can move money, so that giving it takes a vote. */
export const movesMoney = (grants: Grants): boolean =>
  PERMISSIONS.some((permission) => grants[permission] !== undefined && MOVING.has(permission));

/** The built-in roles that may act with this permission. */
export const rolesWith = (permission: Permission): BuiltInRole[] =>
  BUILT_IN_ROLES.filter((role) => mayAct(BUILT_IN_GRANTS[role][permission]));
