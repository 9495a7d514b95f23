/** Setting values as people read and type them. A policy has one field per member. */
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';

export type Setting = AdminAnswer<'settings'>['items'][number];
type Policy = Readonly<Record<string, string | number>>;
type Value = string | number | Policy;

export const isPolicy = (value: unknown): value is Policy =>
  typeof value === 'object' && value !== null;

const MEMBER_TITLES: Readonly<Record<string, () => string>> = {
  '': m.programme_setting_value,
  direct_max: m.programme_policy_direct,
  customer_30_days_max: m.programme_policy_customer,
  person_day_max: m.programme_policy_person,
  votes: m.programme_policy_votes,
  venue_minutes_max: m.programme_policy_venue,
  two_votes_above_usd: m.programme_policy_two_votes,
  voters: m.approvals_voters,
};

/** The title of a policy's member; the only member of a plain value has no title. */
export const memberTitle = (member: string): string => MEMBER_TITLES[member]?.() ?? member;

const VOTERS_TITLES: Readonly<Record<string, () => string>> = {
  anyone: m.approvals_voters_anyone,
  provider: m.approvals_voters_provider,
  brand: m.approvals_voters_brand,
  other: m.approvals_voters_other,
};

export const voterOptions = (): readonly { value: string; label: string }[] =>
  Object.entries(VOTERS_TITLES).map(([value, title]) => ({ value, label: title() }));

const figures = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString('en-US') : value;

function memberText(member: string, value: string | number): string {
  if (member === 'voters') return VOTERS_TITLES[value]?.() ?? String(value);
  if (member === 'direct_max' && value === 0) return m.programme_policy_never_direct();
  return figures(value);
}

/** A policy as facts; any other value as one fact with an empty label. */
export const settingFacts = (value: unknown): readonly { label: string; value: string }[] =>
  isPolicy(value)
    ? Object.entries(value).map(([member, part]) => ({
        label: memberTitle(member),
        value: memberText(member, part),
      }))
    : [{ label: '', value: figures(value as string | number) }];

/** `Votes: 1, Whose vote counts: Anybody who may decide`, or the value itself. */
export const settingText = (value: unknown): string =>
  settingFacts(value)
    .map((fact) => (fact.label === '' ? fact.value : `${fact.label}: ${fact.value}`))
    .join(', ');

/** The facts by their label, for a difference. */
export const factsByLabel = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingFacts(value).map((fact) => [fact.label || m.programme_setting_value(), fact.value]),
  );

/** The fields of the form, by the policy's member names. A plain value has one field with an empty name. */
export const fieldsOf = (value: unknown): Readonly<Record<string, string>> =>
  isPolicy(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member)]))
    : { '': String(value) };

/** Keeps the type of the previous value; the server checks the bounds. */
function typed(text: string, before: unknown): string | number {
  const isNumber = typeof before === 'number' && /^\d+(\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

/** Converts the fields to a value of the same shape as `before`. */
export function valueOf(fields: Readonly<Record<string, string>>, before: unknown): Value {
  if (!isPolicy(before)) return typed(fields['']?.trim() ?? '', before);
  return Object.fromEntries(
    Object.entries(before).map(([name, member]) => [
      name,
      typed(fields[name]?.trim() ?? '', member),
    ]),
  );
}

/** A policy whose action always requires a vote has equal bounds, so it cannot be changed. */
export const isFixed = ({ min, max }: Setting['bounds'][number]): boolean => min === max;

/** `1 to 1,000` for a field; `undefined` if only the server knows the bounds. */
export function boundsText({ bounds }: Setting, member: string): string | undefined {
  const found = bounds.find((bound) => bound.member === member);
  if (found === undefined) return undefined;
  if (isFixed(found)) return m.programme_policy_always();
  return m.programme_setting_bounds({ min: figures(found.min), max: figures(found.max) });
}

/** The first field that is not a number within its bounds. */
export function faultyMember(
  { bounds }: Setting,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  return bounds.find(({ member, min, max }) => {
    const text = fields[member]?.trim();
    if (text === undefined) return false;
    return !/^\d+(\.\d+)?$/.test(text) || Number(text) < min || Number(text) > max;
  })?.member;
}
