/** Texts for items, dates and counts in this folder. */
import { m } from '@athos/messages/messages';
import { plainText } from '@athos/ui/text/markdown';
import type { PurchaseItem } from '../../api/purchases.ts';
import { countKinds, countTitles } from './purchase-groups.ts';

const LOCALE = 'en-US';

interface DateAndTime {
  readonly date: string;
  readonly time: string;
}

/** The user's local time: `Nov 20, 2026` and `2:05 PM`. */
export function dateAndTime(isoTime: string): DateAndTime {
  const at = new Date(isoTime);
  return {
    date: at.toLocaleDateString(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' }),
    time: at.toLocaleTimeString(LOCALE, { hour: 'numeric', minute: '2-digit' }),
  };
}

/** Spec 2: for example '2 tickets and 1 product'. A kind with no items is omitted. */
export function summaryOf(items: readonly PurchaseItem[]): string {
  const count = countKinds(items);
  const tickets = m.purchases_tickets({ count: count.tickets });
  const products = m.purchases_products({ count: count.products });
  if (count.tickets === 0) return products;
  return count.products === 0 ? tickets : m.purchases_summary_both({ tickets, products });
}

/** The titles on one line: `2 × Gala, Amber Fizz`. */
export const titlesOf = (items: readonly PurchaseItem[]): string =>
  countTitles(items)
    .map(({ title, count }) =>
      count === 1 ? plainText(title) : m.purchases_title_count({ count, title: plainText(title) }),
    )
    .join(', ');
