/** Staff and their audit entries, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  combineGrants,
  type BuiltInRole,
} from '@athos/contract/console/permissions';
import type { Handlers } from '../fake-api.ts';
import { STAFF_UUID } from '../session.ts';
import { approvalAnswers } from './console-approvals.ts';
import { catalogueAnswers } from './console-catalogue.ts';
import { customerAnswers } from './console-customers.ts';
import { dashboardAnswers } from './console-dashboard.ts';
import { exportAnswers } from './console-exports.ts';
import { importAnswers } from './console-imports.ts';
import { merchantAnswers } from './console-merchants.ts';
import { campaignAnswers } from './console-campaigns.ts';
import { disputeAnswers } from './console-disputes.ts';
import { ledgerAnswers } from './console-ledger.ts';
import { reconciliationAnswers } from './console-reconciliation.ts';
import { pictureAnswers } from './console-pictures.ts';
import { purchaseAnswers } from './console-purchases.ts';
import { paymentAnswers } from './console-payments.ts';
import { healthAnswers } from './console-health.ts';
import { venueAnswers } from './console-venues.ts';
import { rateAnswers } from './console-rate.ts';
import { brakeAnswers } from './console-brakes.ts';
import { settingAnswers } from './console-settings.ts';
import { legalAnswers } from './console-legal.ts';
import { tierAnswers } from './console-tiers.ts';

type Me = ConsoleAnswerOf<'me'>;
type Entry = ConsoleAnswerOf<'auditEntries'>['items'][number];

const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const NOW = '2026-11-21T12:00:00.000Z';
const MINUTE_MS = 60_000;

/** ISO 8601 time this many minutes ago. */
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();

const TITLES: Readonly<Record<BuiltInRole, string>> = {
  provider_owner: 'Provider owner',
  finance: 'Finance',
  support: 'Support',
  brand_manager: 'Brand manager',
  catalogue_editor: 'Catalogue editor',
  scanner_lead: 'Scanner lead',
  auditor: 'Auditor',
};

/** By the clock of the page, which judges how near the end is. */
const sessionEndingIn = (minutes: number): Me['session'] => ({
  id: 's1',
  expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  seen_at: new Date().toISOString(),
  idle_seconds: 1800,
  proved_until: null,
});

/** A person signed in with these roles; by default with all of them. */
export const staffWith = (roles: readonly BuiltInRole[] = BUILT_IN_ROLES): Me => ({
  id: STAFF_UUID,
  email: 'mara@provider.example',
  name: 'Mara Lindqvist',
  organisation: 'provider',
  roles: roles.slice(0, 2).map((id) => ({ id, title: TITLES[id] })),
  grants: combineGrants(roles.map((role) => BUILT_IN_GRANTS[role])),
  venue_ids: [],
  wallet_uuid: null,
  time_zone: 'UTC',
  is_enrolled: true,
  has_password: true,
  has_passkeys: true,
  factors: [
    {
      id: '0192cccc-0000-7000-8000-000000000001',
      kind: 'passkey',
      name: 'Passkey of this laptop',
      created_at: NOW,
      used_at: minutesAgo(12),
    },
    {
      id: '0192cccc-0000-7000-8000-000000000002',
      kind: 'totp',
      name: 'Authenticator app',
      created_at: NOW,
      used_at: null,
    },
  ],
  recovery_codes_left: 9,
  session: sessionEndingIn(600),
});

/** Signed in almost as long as a session lasts. */
export const staffLate = (): Me => ({ ...staffWith(), session: sessionEndingIn(10) });

export const staffSessions = (): ConsoleAnswerOf<'ownSessions'> => ({
  items: [
    {
      id: '0192dddd-0000-7000-8000-000000000001',
      browser: 'Firefox on Linux',
      place: '203.0.113.7',
      created_at: minutesAgo(95),
      seen_at: minutesAgo(0),
      is_current: true,
    },
    {
      id: '0192dddd-0000-7000-8000-000000000002',
      browser: 'Safari on iPhone',
      place: '198.51.100.24',
      created_at: minutesAgo(2000),
      seen_at: minutesAgo(48),
      is_current: false,
    },
  ],
});

const ACTIONS: readonly Partial<Entry>[] = [
  { action: 'staff.invite', subject: { type: 'staff', id: STAFF_UUID } },
  { action: 'customer.open', subject: { type: 'customer', id: CUSTOMER_UUID } },
  { action: 'payment.refund', outcome: 'requested', approval_id: 'a1' },
  { action: 'hold.place', outcome: 'refused' },
  { action: 'session.sign_in', staff: null, organisation: null, outcome: 'failed' },
  { action: 'role.change', subject: { type: 'role', id: 'night_shift' } },
];

export const auditEntry = (id: number, more: Partial<Entry> = {}): Entry => ({
  id,
  at: minutesAgo((1284 - id) * 7),
  staff: { id: STAFF_UUID, name: 'Mara Lindqvist' },
  organisation: 'provider',
  action: 'staff.invite',
  subject: { type: 'customer', id: CUSTOMER_UUID },
  outcome: 'done',
  request_id: `0192eeee-0000-7000-8000-0000000${String(id).padStart(5, '0')}`,
  approval_id: null,
  ledger_key: null,
  ...more,
});

const AUDIT_COUNT = 1284;
const PAGE_COUNT = 25;

export const auditEntries = (): ConsoleAnswerOf<'auditEntries'> => ({
  items: Array.from({ length: PAGE_COUNT }, (_, index) =>
    auditEntry(AUDIT_COUNT - index, ACTIONS[index % ACTIONS.length]),
  ),
  next_cursor: 'next',
  count: { value: AUDIT_COUNT, is_at_least: false },
});

type Member = ConsoleAnswerOf<'staffMember'>;
type StaffSummary = ConsoleAnswerOf<'staffList'>['items'][number];

const person = (
  index: number,
  name: string,
  roles: readonly BuiltInRole[],
  more: Partial<StaffSummary> = {},
): StaffSummary => ({
  id: `0192bbbb-0000-7000-8000-00000000010${index}`,
  email: `${name.split(' ')[0]?.toLowerCase()}@provider.example`,
  name,
  organisation: 'provider',
  state: 'active',
  roles: roles.map((id) => ({ id, title: TITLES[id] })),
  seen_at: minutesAgo(index * 47),
  ...more,
});

const PEOPLE: readonly StaffSummary[] = [
  person(1, 'Mara Lindqvist', ['provider_owner', 'finance']),
  person(2, 'Tomás Okafor', ['support']),
  person(3, 'Yuki Brandt', ['brand_manager'], { organisation: 'brand' }),
  person(4, 'Ines Achterberg-Vandermeulen', ['catalogue_editor'], {
    organisation: 'brand',
    state: 'invited',
    seen_at: null,
  }),
  person(5, 'Sol Marchetti', ['scanner_lead'], { organisation: 'brand', state: 'suspended' }),
  person(6, 'Ada Njoroge', ['auditor'], { state: 'left', seen_at: null }),
];

export const staffList = (): ConsoleAnswerOf<'staffList'> => ({
  items: [...PEOPLE],
  next_cursor: null,
  count: { value: PEOPLE.length, is_at_least: false },
});

export const staffMember = (more: Partial<Member> = {}): Member => ({
  ...person(2, 'Tomás Okafor', ['support']),
  version: 3,
  venue_ids: [],
  wallet_uuid: CUSTOMER_UUID,
  created_at: NOW,
  factor_kinds: ['totp', 'passkey'],
  recovery_codes_left: 10,
  invite_expires_at: null,
  sessions: staffSessions().items.map((session) => ({ ...session, is_current: false })),
  ...more,
});

export const NIGHT_SHIFT: ConsoleAnswerOf<'roleList'>['items'][number] = {
  id: 'night_shift',
  title: 'Night shift',
  is_built_in: false,
  grants: { 'customers.read': '●', 'customers.hold': '●', 'scans.read': '●' },
  version: 2,
  staff_count: 4,
};

export const roleList = (): ConsoleAnswerOf<'roleList'> => ({
  items: [
    ...BUILT_IN_ROLES.map((id, index) => ({
      id,
      title: TITLES[id],
      is_built_in: true,
      grants: BUILT_IN_GRANTS[id],
      version: 1,
      staff_count: (index * 3) % 5,
    })),
    NIGHT_SHIFT,
  ],
});

const AUDIT_HEAD = '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752';
type AuditVerification = ConsoleAnswerOf<'auditVerification'>;

export const auditVerification = (more: Partial<AuditVerification> = {}): AuditVerification => ({
  id: '0192dddd-0000-7000-8000-000000000007',
  requested_at: minutesAgo(9),
  known_head: null,
  finished_at: minutesAgo(8),
  entry_count: 1284,
  emptied_count: 3,
  head: AUDIT_HEAD,
  fault: null,
  ...more,
});

export const auditHead = (...verifications: AuditVerification[]): ConsoleAnswerOf<'auditHead'> => ({
  entry_count: 1284,
  hash: AUDIT_HEAD,
  verifications: verifications.length === 0 ? [auditVerification()] : verifications,
});

/** The API's responses to a member of staff who holds every role. */
export const consoleAnswers: Handlers = {
  ...dashboardAnswers,
  ...approvalAnswers,
  ...customerAnswers,
  ...exportAnswers,
  ...campaignAnswers,
  ...disputeAnswers,
  ...ledgerAnswers,
  ...reconciliationAnswers,
  ...pictureAnswers,
  ...purchaseAnswers,
  ...venueAnswers,
  ...catalogueAnswers,
  ...merchantAnswers,
  ...importAnswers,
  ...healthAnswers,
  ...paymentAnswers,
  ...rateAnswers,
  ...brakeAnswers,
  ...settingAnswers,
  ...legalAnswers,
  ...tierAnswers,
  me: () => staffWith(),
  consoleEvents: () => new Response(new ReadableStream({})),
  ownSessions: staffSessions,
  staffList,
  staffMember: () => staffMember(),
  roleList,
  auditHead: () => auditHead(),
  verifyAudit: () => auditVerification({ finished_at: null, head: null, entry_count: null }),
  search: () => ({
    customers: [],
    orders: [
      {
        id: '0192bbbb-0000-7000-8000-000000000001',
        provider_id: 'pi_3PqRsT2eZvKYlo2C',
        state: 'credited',
        customer_uuid: CUSTOMER_UUID,
        created_at: NOW,
      },
    ],
    transfers: [{ id: '48209', at: NOW }],
    offers: [{ id: 7, title: 'Iced latte' }],
  }),
  savedViews: () => ({
    items: [
      { id: '0192eeee-0000-7000-8000-000000000001', name: 'This month', search: 'from=2026-11-01' },
      { id: '0192eeee-0000-7000-8000-000000000002', name: 'Refused', search: 'outcome=refused' },
    ],
  }),
  auditEntries,
  auditEntry: ({ params }) => ({
    ...auditEntry(Number(params['id'])),
    session_id: '0192dddd-0000-7000-8000-000000000001',
    before: { roles: ['support'], state: 'active', note: 'Night shift' },
    after: { roles: ['support', 'finance'], state: 'active', note: 'Night shift and month end' },
    is_emptied: false,
    digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  }),
};
