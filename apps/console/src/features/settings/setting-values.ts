/** Values of settings as people read and type them. A policy has a field for each of its members. */
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

/** What a member of a policy is called; the only member of a plain value has no name. */
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

/** A policy as facts, and any other value alone under an empty label. */
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

/** The fields of a form, by the name of a policy's member. A plain value has one without a name. */
export const fieldsOf = (value: unknown): Readonly<Record<string, string>> =>
  isPolicy(value)
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member)]))
    : { '': String(value) };

/** Keeps the type that the value has had; the server checks its bounds. */
function typed(text: string, before: unknown): string | number {
  const isNumber = typeof before === 'number' && /^\d+(\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}

/** What the fields say as a value of the same shape. */
export function valueOf(fields: Readonly<Record<string, string>>, before: unknown): Value {
  if (!isPolicy(before)) return typed(fields['']?.trim() ?? '', before);
  return Object.fromEntries(
    Object.entries(before).map(([name, member]) => [
      name,
      typed(fields[name]?.trim() ?? '', member),
    ]),
  );
}

/** What always takes a vote cannot be made direct. */
export const isFixed = ({ min, max }: Setting['bounds'][number]): boolean => min === max;

/** `1 to 1,000` for a field; `undefined` where only the server knows. */
export function boundsText({ bounds }: Setting, member: string): string | undefined {
  const found = bounds.find((bound) => bound.member === member);
  if (found === undefined) return undefined;
  if (isFixed(found)) return m.programme_policy_always();
  return m.programme_setting_bounds({ min: figures(found.min), max: figures(found.max) });
}

/** Which field is not a number within its bounds. */
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
