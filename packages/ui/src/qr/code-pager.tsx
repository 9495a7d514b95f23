import { m } from '@athos/messages/messages';
import { useState, type ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';

interface CodePagerProps {
  /** The number of items in each code; at least one code. */
  itemCounts: readonly number[];
  /** A single code shows no count, unless this is set because its items are not listed. */
  isAlwaysCounted?: boolean;
  /** Renders the code at this index. */
  children: (index: number) => ReactNode;
}

/** Several codes, of which only one is in view, so that a camera cannot read the wrong one. */
export function CodePager({ itemCounts, isAlwaysCounted = false, children }: CodePagerProps) {
  const [chosen, setChosen] = useState(0);
  const total = itemCounts.length;
  // Items may have been redeemed meanwhile, which leaves fewer codes.
  const index = Math.min(chosen, total - 1);
  const step = (by: number): void => setChosen((index + by + total) % total);
  return (
    <div className="flex w-full flex-col items-center gap-4">
      {(total > 1 || isAlwaysCounted) && (
        <p role="status" className="text-body font-semibold">
          {m.common_codes_count({ index: index + 1, total })}
          {', '}
          {m.common_codes_items({ count: itemCounts[index] ?? 0 })}
        </p>
      )}
      {children(index)}
      {total > 1 && (
        <div className="flex gap-2">
          <Button variant="quiet" onClick={() => step(-1)}>
            {m.common_codes_previous()}
          </Button>
          <Button variant="quiet" onClick={() => step(1)}>
            {m.common_codes_next()}
          </Button>
        </div>
      )}
    </div>
  );
}
