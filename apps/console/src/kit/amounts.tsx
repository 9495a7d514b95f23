/** Amounts in a column with the sum last, as on a receipt. */
import type { Asset } from '@athos/domain/money';
import { classNames } from '@athos/ui/primitives/class-names';
import type { ReactNode } from 'react';
import { Money } from './money.tsx';

export interface AmountLine {
  readonly label: ReactNode;
  readonly units: string;
  readonly asset: Asset;
  readonly isSum?: boolean;
}

export function Amounts({ lines }: { lines: readonly AmountLine[] }) {
  return (
    <dl className="text-dense flex flex-col">
      {lines.map(({ label, units, asset, isSum = false }, index) => (
        <div
          key={index}
          className={classNames(
            'flex min-h-8 flex-wrap items-center justify-between gap-x-4',
            isSum && 'border-line border-t font-semibold',
          )}
        >
          <dt className={isSum ? undefined : 'text-ink-quiet'}>{label}</dt>
          <dd className="ml-auto">
            <Money units={units} asset={asset} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
