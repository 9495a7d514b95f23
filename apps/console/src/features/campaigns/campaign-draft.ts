/** The typed fields of a campaign, and the terms for the call. */
import { formatAthExact, microAth, parseAth, parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { AdminInput } from '../../api/call.ts';
import { localMoment, momentOf } from '../../kit/days.ts';
import type { Campaign } from './campaign-words.ts';

export type Terms = AdminInput<'createCampaign'>['body'];

export interface Draft {
  readonly title: string;
  readonly amount: string;
  readonly starts: string;
  readonly ends: string;
  readonly claimCountMax: string;
  readonly userClaimCountMax: string;
  readonly audience: Terms['audience']['kind'];
  readonly tierId: string;
  readonly days: string;
}

const DEFAULT_DAYS = '30';

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));

export const EMPTY_DRAFT: Draft = {
  title: '',
  amount: '',
  starts: '',
  ends: '',
  claimCountMax: '',
  userClaimCountMax: '',
  audience: 'all',
  tierId: '',
  days: DEFAULT_DAYS,
};

export const draftOf = (campaign: Campaign, zone: string): Draft => ({
  title: campaign.title,
  amount: formatAthExact(microAth(parseUnits(campaign.amount))).replaceAll(',', ''),
  starts: localMoment(campaign.startsAt, zone),
  ends: localMoment(campaign.endsAt, zone),
  claimCountMax: textOf(campaign.claimCountMax),
  userClaimCountMax: textOf(campaign.userClaimCountMax),
  audience: campaign.audience.kind,
  tierId: campaign.audience.kind === 'tier' ? String(campaign.audience.tierId) : '',
  days: campaign.audience.kind === 'new_accounts' ? String(campaign.audience.days) : DEFAULT_DAYS,
});

/** A whole number above 0; `undefined` for anything else. */
export function countOf(text: string): number | undefined {
  const typed = text.trim().replaceAll(',', '');
  return /^[1-9]\d{0,8}$/.test(typed) ? Number.parseInt(typed, 10) : undefined;
}

const limitOf = (text: string): number | null | undefined =>
  text.trim() === '' ? null : countOf(text);

function audienceOf({ audience, tierId, days }: Draft): Terms['audience'] | undefined {
  if (audience === 'all') return { kind: 'all' };
  const value = countOf(audience === 'tier' ? tierId : days);
  if (value === undefined) return undefined;
  return audience === 'tier'
    ? { kind: 'tier', tierId: value }
    : { kind: 'new_accounts', days: value };
}

/** The terms, or a text about the missing field. */
export function termsOf(draft: Draft, zone: string): Terms | { readonly missing: string } {
  const title = draft.title.trim();
  const amount = parseAth(draft.amount);
  const startsAt = momentOf(draft.starts, zone);
  const endsAt = momentOf(draft.ends, zone);
  const claimCountMax = limitOf(draft.claimCountMax);
  const userClaimCountMax = limitOf(draft.userClaimCountMax);
  const audience = audienceOf(draft);
  if (title === '') return { missing: m.campaigns_reason_title() };
  if (amount === undefined || amount === 0n) return { missing: m.campaigns_reason_amount() };
  if (startsAt === undefined || endsAt === undefined || endsAt <= startsAt) {
    return { missing: m.campaigns_reason_window() };
  }
  if (claimCountMax === undefined || userClaimCountMax === undefined) {
    return { missing: m.campaigns_reason_limit() };
  }
  if (audience === undefined) {
    const isTier = draft.audience === 'tier';
    return { missing: isTier ? m.campaigns_reason_tier() : m.campaigns_reason_days() };
  }
  return {
    title,
    amount: amount.toString(),
    startsAt,
    endsAt,
    claimCountMax,
    userClaimCountMax,
    audience,
  };
}

/** The number of claims that an amount pays for; `undefined` unless it is above zero. */
export function fundingOf(typed: string, amountOfClaim: string) {
  const amount = parseAth(typed);
  if (amount === undefined || amount === 0n) return undefined;
  return { units: amount.toString(), claims: Number(amount / parseUnits(amountOfClaim)) };
}
