import { m } from '@athos/messages/messages';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { Time } from '../../kit/time.tsx';
import type { AdminItem } from '../../api/admin.ts';
import { compareTiers, changeText, countText, tierName, type Holders } from './tier-moves.ts';
import type { ShownTier } from './tier-draft.ts';

interface WhoWouldMoveProps {
  read: AdminItem<Holders>;
  now: readonly ShownTier[];
  /** As typed; `undefined` while a threshold is invalid. The same as `now` if nothing is edited. */
  after: readonly ShownTier[] | undefined;
  isEditing: boolean;
}

/** The number of customers in each tier, and the number that would change tier, by the balances of last night. */
export function WhoWouldMove({ read, now, after, isEditing }: WhoWouldMoveProps) {
  const { item, failure, reload } = read;
  return (
    <Section title={isEditing ? m.ladder_moves_title() : m.ladder_holders_title()}>
      {after === undefined && (
        <p className="text-dense text-ink-quiet">{m.ladder_moves_unknown()}</p>
      )}
      {after !== undefined && item === undefined && failure === undefined && (
        <Skeleton className="h-40 w-full" />
      )}
      {after !== undefined && item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {after !== undefined && item?.countedAt === null && (
        <p className="text-dense text-ink-quiet">{m.ladder_uncounted()}</p>
      )}
      {after !== undefined && item !== undefined && item.countedAt !== null && (
        <>
          <Counts holders={item} now={now} after={after} isEditing={isEditing} />
          <p className="text-caption text-ink-quiet">
            {m.ladder_counted()} <Time at={item.countedAt} />
          </p>
        </>
      )}
    </Section>
  );
}

interface CountsProps {
  holders: Holders;
  now: readonly ShownTier[];
  after: readonly ShownTier[];
  isEditing: boolean;
}

function Counts({ holders, now, after, isEditing }: CountsProps) {
  const { counts, moves, isExact } = compareTiers(now, after, holders);
  return (
    <div className="@container/moves flex flex-col gap-3">
      <table className="text-dense @max-[22rem]/moves:block w-full border-collapse">
        <thead className="text-caption text-ink-quiet @max-[22rem]/moves:sr-only">
          <tr className="border-line border-b">
            <th scope="col" className="py-1.5 pr-2 text-left font-semibold">
              {m.ladder_column_tier()}
            </th>
            <th scope="col" className="px-2 text-right font-semibold">
              {m.ladder_column_now()}
            </th>
            {isEditing && (
              <>
                <th scope="col" className="px-2 text-right font-semibold">
                  {m.ladder_column_after()}
                </th>
                <th scope="col" className="pl-2 text-right font-semibold">
                  {m.ladder_column_change()}
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody className="divide-line @max-[22rem]/moves:block divide-y">
          {counts.map((row) => (
            <tr
              key={row.tier?.id ?? 0}
              className="@max-[22rem]/moves:flex @max-[22rem]/moves:flex-wrap @max-[22rem]/moves:pb-2"
            >
              <th
                scope="row"
                className="@max-[22rem]/moves:w-full py-2 pr-2 text-left font-normal wrap-anywhere"
              >
                {row.isRemoved
                  ? m.ladder_removed({ title: tierName(row.tier) })
                  : tierName(row.tier)}
              </th>
              <td className="tabular px-2 text-right">{countText(row.now, isExact)}</td>
              {isEditing && (
                <>
                  <td className="tabular px-2 text-right">{countText(row.after, isExact)}</td>
                  <td className="tabular pl-2 text-right font-semibold">{changeText(row)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {isEditing && moves.length === 0 && (
        <p className="text-dense text-ink-quiet">{m.ladder_nobody_moves()}</p>
      )}
      {isEditing && moves.length > 0 && (
        <ul aria-label={m.ladder_moves_title()} className="text-dense flex flex-col gap-1">
          {moves.map(({ from, to, count }) => (
            <li key={`${from?.id ?? ''} ${to?.id ?? ''}`}>
              {m.ladder_move({
                count: countText(count, isExact),
                from: tierName(from),
                to: tierName(to),
              })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
