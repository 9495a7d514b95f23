import { m } from '@athos/messages/messages';
import { useState, type ReactNode } from 'react';
import { Button } from '../primitives/button.tsx';

interface CodePagerProps {
  /** How many items each code holds; at least one code. */
  itemCounts: readonly number[];
  /** A single code says nothing about itself, unless it stands without its items. */
  isAlwaysCounted?: boolean;
  /** The code of this number. */
  children: (index: number) => ReactNode;
}

/** Several codes, of which only one is in view, so that a camera cannot read the wrong one. */
export function CodePager({ itemCounts, isAlwaysCounted = false, children }: CodePagerProps) {
  const [chosen, setChosen] = useState(0);
  const total = itemCounts.length;
  // What a code held may have been redeemed meanwhile, and then there are fewer.
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
