/** Reward campaigns, batches of codes and lock-outs, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Summary = ConsoleAnswerOf<'campaigns'>['items'][number];
type Campaign = ConsoleAnswerOf<'campaign'>;
type Batch = ConsoleAnswerOf<'batches'>['items'][number];
type LockOut = ConsoleAnswerOf<'lockOuts'>['items'][number];
type FoundCode = NonNullable<ConsoleAnswerOf<'lookUpCode'>['found']>;

export const CAMPAIGN_ID = 12;
const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
/** Full minutes, as a form can name them. */
const inDays = (days: number): string =>
  `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 16)}:00.000Z`;

const summary = (id: number, more: Partial<Summary> = {}): Summary => ({
  id,
  title: 'Summer bottles',
  amount: '25000000',
  starts_at: inDays(-20),
  ends_at: inDays(40),
  claim_count_max: null,
  user_claim_count_max: 3,
  audience: { kind: 'all' },
  state: 'running',
  claim_count: 1_284,
  budget: '100000000000',
  given: '32100000000',
  created_at: inDays(-30),
  ...more,
});

const CAMPAIGNS: readonly Summary[] = [
  summary(14, {
    title: 'Harbour nights for guests who come back every week',
    state: 'draft',
    budget: '0',
    given: '0',
    claim_count: 0,
  }),
  summary(13, { title: 'Welcome drink', state: 'funded', given: '0', claim_count: 0 }),
  summary(CAMPAIGN_ID),
  summary(11, { title: 'Spring caps', state: 'paused', claim_count: 40, given: '1000000000' }),
  summary(10, { title: 'Winter fair', state: 'ended', ends_at: inDays(-3) }),
  summary(9, { title: 'Opening week', state: 'settled', ends_at: inDays(-300) }),
];

export const campaign = (more: Partial<Campaign> = {}): Campaign => ({
  ...summary(CAMPAIGN_ID),
  version: 3,
  left: '67900000000',
  returned: null,
  settled_at: null,
  account_id: '-8096',
  tier_title: null,
  ...more,
});

export const batch = (more: Partial<Batch> = {}): Batch => ({
  id: '0192ffff-0000-7000-8000-000000000001',
  campaign_id: CAMPAIGN_ID,
  label: 'Bottles, first run',
  code_count: 2_400,
  uses_per_code: 1,
  expires_at: null,
  state: 'ready',
  codes_done: 2_400,
  claim_count: 1_102,
  created_at: inHours(-30),
  made_at: inHours(-30),
  voided_at: null,
  file_expires_at: inHours(42),
  downloads_left: 4,
  sheets: [
    { form: 'a4_3x8', state: 'ready', pages_done: 100, page_count: 100 },
    { form: 'letter_2x5', state: 'making', pages_done: 80, page_count: 240 },
  ],
  ...more,
});

const ended = { file_expires_at: null, downloads_left: 0, sheets: [] };

export const BATCHES: readonly Batch[] = [
  batch({
    id: '0192ffff-0000-7000-8000-000000000005',
    label: 'Posters',
    code_count: 100_000,
    codes_done: 36_000,
    claim_count: 0,
    state: 'making',
    made_at: null,
    ...ended,
  }),
  batch(),
  batch({
    id: '0192ffff-0000-7000-8000-000000000002',
    label: 'Staff party',
    code_count: 1,
    uses_per_code: 40,
    claim_count: 31,
    expires_at: inDays(2),
    ...ended,
  }),
  batch({
    id: '0192ffff-0000-7000-8000-000000000003',
    label: 'Lost at the printer',
    state: 'void',
    claim_count: 0,
    voided_at: inHours(-200),
    ...ended,
  }),
  batch({
    id: '0192ffff-0000-7000-8000-000000000004',
    label: 'First try',
    state: 'failed',
    claim_count: 0,
    made_at: null,
    ...ended,
  }),
];

const LOCK_OUTS: readonly LockOut[] = [
  {
    id: 8,
    kind: 'account',
    customer_uuid: CUSTOMER_UUID,
    place: null,
    locked_at: inHours(-0.4),
    ends_at: inHours(0.6),
  },
  {
    id: 7,
    kind: 'place',
    customer_uuid: null,
    place: '198.51.100.7',
    locked_at: inHours(-0.5),
    ends_at: inHours(0.2),
  },
];

export const foundCode = (more: Partial<FoundCode> = {}): FoundCode => ({
  state: 'used_up',
  campaign: { id: CAMPAIGN_ID, title: 'Summer bottles', state: 'running' },
  batch: { id: batch().id, label: 'Bottles, first run', state: 'ready' },
  uses: 1,
  claim_count: 1,
  expires_at: null,
  claims: [{ customer_uuid: CUSTOMER_UUID, claimed_at: inHours(-3), amount: '25000000' }],
  ...more,
});

const listed = <Row>(items: readonly Row[]) => ({
  items: [...items],
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

const requested = () => ({
  outcome: 'requested' as const,
  approval_id: '0192eeee-0000-7000-8000-000000000031',
  expires_at: inHours(72),
  votes_needed: 1,
});

export const campaignAnswers = {
  campaigns: () => listed(CAMPAIGNS),
  campaign: () => campaign(),
  campaignOptions: () => ({
    tiers: [
      { id: 3, title: 'Gold' },
      { id: 2, title: 'Silver' },
    ],
    budget_max: '10000000000000',
  }),
  createCampaign: () => campaign({ state: 'draft', version: 1 }),
  changeCampaign: () => campaign({ version: 4 }),
  fundCampaign: requested,
  startCampaign: () => campaign(),
  pauseCampaign: () => campaign({ state: 'paused' }),
  endCampaign: () => campaign({ state: 'settled', left: '0', returned: '67900000000' }),
  batches: () => listed(BATCHES),
  makeBatch: () => ({ outcome: 'done' as const, batch_id: batch().id }),
  makeSheet: () => batch(),
  voidBatch: () => batch({ state: 'void', ...ended }),
  batchLink: () => ({ path: '/api/admin/batches/x/file?code=y', expires_at: inHours(0.01) }),
  lookUpCode: () => ({ is_code: true, found: foundCode() }),
  lockOuts: () => listed(LOCK_OUTS),
  releaseLockOut: () => ({ released: true as const }),
} satisfies Partial<Handlers>;
