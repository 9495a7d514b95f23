import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A plain card. */
export function Card(props: { children: ReactNode; className?: string }) {
  return (
    <section
      className={classNames(
        'rounded-medium bg-surface shadow-card inset-ring-line p-gutter inset-ring',
        props.className,
      )}
    >
      {props.children}
    </section>
  );
}

export interface Detail {
  label: string;
  value: ReactNode;
  /** The total: larger, below a rule. */
  isTotal?: boolean;
  /** For long text such as a uuid: shown below its label, with breaks anywhere. */
  isLong?: boolean;
}

/** Names and values on a summary, preview or detail screen. */
export function DetailList({ details }: { details: readonly Detail[] }) {
  return (
    <dl className="flex flex-col gap-3">
      {details.map(({ label, value, isTotal, isLong }) => (
        <div
          key={label}
          className={classNames(
            'flex gap-x-4 gap-y-0.5',
            isLong ? 'flex-col' : 'flex-wrap items-baseline justify-between',
            isTotal && 'border-line border-t pt-3',
          )}
        >
          <dt className={isTotal ? 'text-body font-semibold' : 'text-body text-ink-quiet'}>
            {label}
          </dt>
          <dd
            className={classNames(
              'text-body tabular min-w-0 wrap-anywhere',
              isTotal ? 'amount text-title' : 'font-semibold',
              isLong && 'break-all',
            )}
          >
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
