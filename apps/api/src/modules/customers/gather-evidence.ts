/**
 * Gathers evidence in favour of a disputed payment: the purchase and its credit, the customer's sign-ins and use of the tokens, and the
 * accepted terms. Contains only facts of this programme, in plain English, for the bank.
 */
import { brand } from '@athos/brand/brand';
import { EVIDENCE_TEXT_MAX } from '@athos/contract/console/evidence';
import type { TimelineEntry, TimelineKind } from '@athos/contract/console/customers';
import { exactAthText, formatUsd, microAth, usdCents } from '@athos/domain/money';
import type { TimelineSource } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';
import { findOrderToGather, saveGathered } from '../cards/index.ts';
import { selectFoundUsers } from '../identity/index.ts';
import { selectAcceptanceAt } from '../legal/index.ts';
import { createCustomerTimeline, type TimelineDeps } from './customer-timelines.ts';
import { readTimeline } from './timeline.ts';

type Order = NonNullable<Awaited<ReturnType<typeof findOrderToGather>>>;

const PAGE_SIZE = 100;
/** A text of evidence has room for fewer lines than these pages have entries. */
const PAGES_MAX = 5;
/** Sign-ins in the weeks before the payment show that it was made as usual. */
const BEFORE_PAYMENT_MS = 30 * 24 * 60 * 60_000;

interface Customer {
  readonly userId: bigint;
  readonly userUuid: string;
}

/** Entries since `since`, oldest first. */
async function readSince(
  db: Db,
  sources: readonly TimelineSource[],
  { kind, since, ...customer }: Customer & { readonly kind: TimelineKind; readonly since: Date },
): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = [];
  let positions: readonly string[] | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { entries, next } = await readTimeline(db, sources, {
      ...customer,
      kind,
      limit: PAGE_SIZE,
      positions,
    });
    found.push(...entries);
    const last = entries.at(-1);
    if (next === undefined || (last !== undefined && new Date(last.at) < since)) break;
    positions = next;
  }
  return found.filter(({ at }) => new Date(at) >= since).toReversed();
}

/** The sentence about an entry for a reader at a bank; `undefined` if the entry is no evidence. */
function sentenceOf(entry: TimelineEntry): string | undefined {
  switch (entry.kind) {
    case 'sign_in':
      return 'The customer signed in to the wallet.';
    case 'scan': {
      const { action, redeemed_count: count, venue, titles } = entry.data;
      if (action !== 'redeem' || count === 0) return undefined;
      return `The customer redeemed ${count} items${venue === null ? '' : ` at ${venue}`}: ${titles.join(', ')}.`;
    }
    case 'movement':
    case 'purchase':
      return movementSentence(entry.data);
    case 'payment':
    case 'terms':
    case 'mail':
    case 'note':
    case 'staff':
      return undefined;
  }
}

function movementSentence(item: Extract<TimelineEntry, { kind: 'movement' }>['data']) {
  switch (item.type) {
    case 'Purchase': {
      const { offer_count: count, offer } = item.data;
      return `The customer bought ${count} x ${offer.title} with the tokens.`;
    }
    case 'Send':
      if (item.data.reason !== undefined) return undefined;
      // A send that came back does not count as sent.
      if (item.data.state !== undefined && item.data.state !== 'sent') return undefined;
      return `The customer sent ${exactAthText(microAth(BigInt(item.data.amount)))} ATH to another user.`;
    case 'Receive':
    case 'Reward':
    case 'Payment':
      return undefined;
  }
}

/** As many whole lines as the provider accepts. */
function linesText(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length + 1 > EVIDENCE_TEXT_MAX) break;
    text += `${line}\n`;
  }
  return text.trimEnd();
}

const timesOf = (entries: readonly TimelineEntry[]): string[] =>
  entries.flatMap((entry) => {
    const sentence = sentenceOf(entry);
    return sentence === undefined ? [] : [`${entry.at} ${sentence}`];
  });

/** The receipt, as it was mailed to the customer, and the delivery. */
function receiptLines(order: Order, creditedAt: Date): string[] {
  const ath = `${exactAthText(microAth(order.amount_micro_ath))} ATH`;
  const usd = (cents: bigint): string => formatUsd(usdCents(cents));
  return [
    `Receipt of card payment ${order.id}: ${ath} for ${usd(order.price_usd_cents)}, product fee ${usd(order.product_fee_usd_cents)}, ` +
      `processing fee ${usd(order.processing_fee_usd_cents)}, in total ${usd(order.total_usd_cents)}.`,
    `${creditedAt.toISOString()} ${ath} were credited to the customer's wallet, where they could be used at once.`,
  ];
}

/** The job. It changes nothing once somebody has written evidence, or if the bank awaits none. */
export async function gatherEvidence(
  deps: TimelineDeps & { readonly db: Db },
  disputeId: string,
): Promise<void> {
  const { db } = deps;
  const order = await findOrderToGather(db, disputeId);
  const [user] = order === undefined ? [] : await selectFoundUsers(db, [order.user_id]);
  if (order === undefined || user === undefined) return;
  const sources = createCustomerTimeline(deps);
  const customer = { userId: order.user_id, userUuid: user.uuid };
  const creditedAt = order.closed_at ?? order.created_at;
  const before = new Date(order.created_at.getTime() - BEFORE_PAYMENT_MS);
  const [signIns, ...uses] = await Promise.all([
    readSince(db, sources, { ...customer, kind: 'sign_in', since: before }),
    readSince(db, sources, { ...customer, kind: 'purchase', since: creditedAt }),
    readSince(db, sources, { ...customer, kind: 'movement', since: creditedAt }),
    readSince(db, sources, { ...customer, kind: 'scan', since: creditedAt }),
  ]);
  // The customer may have accepted other terms since, which do not concern this payment.
  const terms = await selectAcceptanceAt(db, order.user_id, order.created_at);
  await saveGathered(db, disputeId, {
    ...(signIns.length > 0 && { access_activity_log: linesText(timesOf(signIns)) }),
    ...(user.email !== null && { customer_email_address: user.email }),
    ...(terms !== undefined && {
      refund_policy_disclosure: `At the time of the payment, the customer had accepted version ${terms.label} of the terms (${brand.links.termsUrl}), at ${terms.at.toISOString()}.`,
    }),
    product_description: `${brand.programmeName} tokens (ATH), with which customers of the programme buy offers and redeem them at its venues.`,
    service_date: creditedAt.toISOString().slice(0, 10),
    uncategorized_text: linesText([
      ...receiptLines(order, creditedAt),
      ...timesOf(uses.flat().toSorted((one, other) => one.at.localeCompare(other.at))),
    ]),
  });
}
