/** Current scans at a venue, by outcome. */
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import { figures } from '../../kit/figures.ts';
import { Time } from '../../kit/time.tsx';
import { outcomeTitle } from '../../kit/scan-words.ts';

/** Fast enough to watch an evening. One call serves all venues. */
export const COUNTS_POLL_MS = 10_000;

export type VenueCounts = AdminAnswer<'venueCounts'>;
type Counted = VenueCounts['items'][number];

export const sumOf = (items: readonly Counted[], span: 'day' | 'hour') => ({
  attempts: items.reduce((sum, item) => sum + item[span].attempts, 0),
  redeemedItems: items.reduce((sum, item) => sum + item[span].redeemedItems, 0),
});

/** A table of attempts by outcome, today and within the last hour, and the number of redeemed items. */
export function CountsTable({ counts }: { counts: VenueCounts }) {
  const { items, countedFrom } = counts;
  if (items.length === 0) {
    return <p className="text-dense text-ink-quiet">{m.venues_counts_none()}</p>;
  }
  return (
    <>
      <table className="text-dense w-full">
        <thead className="text-caption text-ink-quiet text-left">
          <tr>
            <th scope="col" className="py-1 font-semibold">
              {m.venues_outcome()}
            </th>
            <th scope="col" className="py-1 text-right font-semibold">
              {m.venues_hour()}
            </th>
            <th scope="col" className="py-1 text-right font-semibold">
              {m.venues_day()}
            </th>
          </tr>
        </thead>
        <tbody className="divide-line divide-y">
          {items.map(({ outcome, day, hour }) => (
            <tr key={outcome}>
              <th scope="row" className="py-1.5 text-left font-normal wrap-anywhere">
                {outcomeTitle(outcome)}
              </th>
              <td className="tabular py-1.5 text-right">{figures(hour.attempts)}</td>
              <td className="tabular py-1.5 text-right">{figures(day.attempts)}</td>
            </tr>
          ))}
          <tr className="font-semibold">
            <th scope="row" className="py-1.5 text-left">
              {m.venues_redeemed_items()}
            </th>
            <td className="tabular py-1.5 text-right">
              {figures(sumOf(items, 'hour').redeemedItems)}
            </td>
            <td className="tabular py-1.5 text-right">
              {figures(sumOf(items, 'day').redeemedItems)}
            </td>
          </tr>
        </tbody>
      </table>
      {countedFrom !== null && (
        <p className="text-caption text-ink-quiet">
          {m.venues_counted_from()} <Time at={countedFrom} />
        </p>
      )}
    </>
  );
}
