/**
 * The programme's settings, which its operator decides and may change while it runs. The table `programme_settings` holds those that differ
 * from their default. Limits that protect the system itself belong to the environment (apps/api/src/config/limits.ts). See decision 0017.
 */
import { z } from 'zod';
import { parseRate, tokenUnits, TRANSFER_MICRO_MAX } from '@athos/domain/money';
import { TICKET_HOURS_MAX } from '@athos/domain/ticket-code';
import { APPROVAL_POLICIES } from './approval-policy.ts';
import { brakeKey, type BrakeName } from './brakes.ts';

interface Setting<S extends z.ZodType> {
  /** Its name in the table and on the command line. */
  readonly key: string;
  readonly about: string;
  readonly schema: S;
  readonly byDefault: z.input<S>;
}
const setting = <S extends z.ZodType>(setting: Setting<S>): Setting<S> => setting;

const usdPerAth = z.union([z.string(), z.number()]).transform((value, context) => {
  const rate = parseRate(value);
  if (rate !== undefined) return rate;
  context.addIssue('must be a positive number of US dollars per ATH with at most 8 decimals');
  return z.NEVER;
});

const wholeNumber = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** Per cent of a rate, as a bigint, because rates are bigints. */
const percent = wholeNumber(1, 1000).transform(BigInt);
const microUnits = wholeNumber(1, Number(TRANSFER_MICRO_MAX)).transform((value) =>
  tokenUnits(BigInt(value)),
);

/** A held send arrives within this time in any case (decision 0058). */
export const UNDO_SECONDS_MAX = 60;
const NOTICE_LENGTH_MAX = 300;
/** A pulled brake, or null. On the command line, the notice alone is enough. */
const pulledBrake = z
  .object({
    notice: z.string().trim().min(1).max(NOTICE_LENGTH_MAX),
    reason: z.string().max(1_000).default(''),
  })
  .nullable();
export type PulledBrake = NonNullable<z.output<typeof pulledBrake>>;

const brake = (name: BrakeName, about: string) =>
  setting({ key: brakeKey(name), about, schema: pulledBrake, byDefault: null });

export const PROGRAMME_SETTINGS = {
  rateLowest: setting({
    key: 'rate_lowest',
    about: 'The lowest rate that is published, in US dollars per ATH.',
    schema: usdPerAth,
    byDefault: '0.0168',
  }),
  rateHighest: setting({
    key: 'rate_highest',
    about: 'The highest rate that is published, in US dollars per ATH.',
    schema: usdPerAth,
    byDefault: '1.683',
  }),
  rateStepPercentMax: setting({
    key: 'rate_step_percent_max',
    about: 'How far a rate may be from the one before it, in per cent of that one.',
    schema: percent,
    byDefault: 10,
  }),
  rateHourPercentMax: setting({
    key: 'rate_hour_percent_max',
    about: 'How far a rate may be from any other of the last hour, in per cent of that one.',
    schema: percent,
    byDefault: 25,
  }),
  rateDayPercentMax: setting({
    key: 'rate_day_percent_max',
    about: 'How far a rate may be from any other of the last 24 hours, in per cent of that one.',
    schema: percent,
    byDefault: 50,
  }),
  sendUnitsMin: setting({
    key: 'send_units_min',
    about: 'The smallest amount of a send, in micro-units of its token.',
    schema: microUnits,
    byDefault: 1,
  }),
  stepUpRollingUsd: setting({
    key: 'step_up_rolling_usd',
    about:
      'How much a member of staff may move in US dollars before they confirm again that it is them.',
    schema: wholeNumber(0, 1_000_000),
    byDefault: 500,
  }),
  sendsPerDayMax: setting({
    key: 'sends_per_day_max',
    about: 'How often a user may send within 24 hours.',
    schema: wholeNumber(1, 1_000_000_000),
    byDefault: 2_000,
  }),
  undoSeconds: setting({
    key: 'undo_seconds',
    about: 'For how many seconds the wallet lets a sender undo a send. With 0 it arrives at once.',
    schema: wholeNumber(0, UNDO_SECONDS_MAX),
    byDefault: 10,
  }),
  undoFirstSeconds: setting({
    key: 'undo_first_seconds',
    about:
      'For how many seconds a sender can undo a send to a new or similar address, or of an unusual amount.',
    schema: wholeNumber(0, UNDO_SECONDS_MAX),
    byDefault: 60,
  }),
  ticketHours: setting({
    key: 'ticket_hours',
    about: 'For how many hours a phone can show ticket codes without a network.',
    schema: wholeNumber(1, TICKET_HOURS_MAX),
    byDefault: 48,
  }),
  offlineItemsMax: setting({
    key: 'offline_items_max',
    about: 'How many items a scanner may redeem without a network until it has told of them.',
    schema: wholeNumber(1, 10_000),
    byDefault: 200,
  }),
  offlineValueMaxAth: setting({
    key: 'offline_value_max_ath',
    about: 'For how much ATH a scanner may redeem without a network until it has told of it.',
    schema: wholeNumber(1, 1_000_000),
    byDefault: 5_000,
  }),
  offlineItemValueMaxAth: setting({
    key: 'offline_item_value_max_ath',
    about: 'How much ATH an item may cost that a scanner redeems without a network.',
    schema: wholeNumber(1, 1_000_000),
    byDefault: 500,
  }),
  campaignBudgetMax: setting({
    key: 'campaign_budget_max',
    about: 'The largest budget of one reward campaign in all, in micro-units of ATH.',
    schema: microUnits,
    byDefault: 10_000_000_000_000,
  }),
  brakeBuying: brake('buying', 'Stops buying by card, with a notice for customers.'),
  brakeSending: brake('sending', 'Stops sends between customers, with a notice for them.'),
  brakeSpending: brake('spending', 'Stops purchases and tips, with a notice for customers.'),
  brakeRedeeming: brake('redeeming', 'Stops redemption at venues, with a notice for their staff.'),
  brakeRewards: brake('rewards', 'Stops claims of reward codes, with a notice for customers.'),
  ...APPROVAL_POLICIES,
} as const;

type Settings = typeof PROGRAMME_SETTINGS;
export type ProgrammeSettings = {
  readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']>;
};

function faultsBetween({ rateLowest, rateHighest }: ProgrammeSettings): string[] {
  return rateLowest > rateHighest ? ['rate_lowest: must not be above rate_highest'] : [];
}

/**
 * Reads the stored values by key. A setting that is not stored, or has an unusable value, gets its default. Each fault names its key.
 * Unknown keys are ignored: a newer version may have stored them.
 */
export function readProgrammeSettings(stored: ReadonlyMap<string, unknown>): {
  readonly settings: ProgrammeSettings;
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const values = Object.entries(PROGRAMME_SETTINGS).map(([name, { key, schema, byDefault }]) => {
    const parsed = schema.safeParse(stored.has(key) ? stored.get(key) : byDefault);
    if (parsed.success) return [name, parsed.data];
    faults.push(...parsed.error.issues.map(({ message }) => `${key}: ${message}`));
    return [name, schema.parse(byDefault)];
  });
  const settings = Object.fromEntries(values) as ProgrammeSettings;
  return { settings, faults: [...faults, ...faultsBetween(settings)] };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

interface NumberSchema {
  readonly minimum?: number;
  readonly maximum?: number;
}

const boundsIn = ({ minimum: min, maximum: max }: NumberSchema): Bounds | undefined =>
  min === undefined || max === undefined ? undefined : { min, max };

/**
 * The allowed range of a setting's numbers: of each member of a policy by its name, and of a plain number under an empty name. A policy
 * that always takes a vote has a `direct_max` of 0.
 */
export function settingBounds({
  schema,
  byDefault,
}: Setting<z.ZodType>): ReadonlyMap<string, Bounds> {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const members = Object.entries({ '': json, ...json.properties }).flatMap(([name, member]) => {
    const bounds = boundsIn(member as NumberSchema);
    return bounds === undefined ? [] : [[name, bounds] as const];
  });
  const alwaysVotes = Object.values(APPROVAL_POLICIES).some(
    (policy) => policy.byDefault === byDefault && policy.byDefault.direct_max === 0,
  );
  return new Map([
    ...members,
    ...(alwaysVotes ? [['direct_max', { min: 0, max: 0 }] as const] : []),
  ]);
}
