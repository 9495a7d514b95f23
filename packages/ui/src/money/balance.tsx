import type { ReactNode } from 'react';
import { formatApproximateUsd, formatAthRoundedUp } from '@athos/domain/money';
import type { TokenUnits, UsdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { FailureNotice } from '../primitives/failure-notice.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';

/** S9-016: 40 / 34 / 28 / 24 px for up to 7 / 10 / 13 / more digits. */
export function balanceSizePx(digitCount: number): 40 | 34 | 28 | 24 {
  if (digitCount <= 7) return 40;
  if (digitCount <= 10) return 34;
  return digitCount <= 13 ? 28 : 24;
}

const SIZE_CLASSES = {
  40: 'text-balance-40',
  34: 'text-balance-34',
  28: 'text-balance-28',
  24: 'text-balance-24',
};

const digitCountOf = (text: string): number => text.replace(/\D/g, '').length;

/** The font size of a displayed amount: the more digits, the smaller. */
export const amountSizeClass = (text: string): string =>
  SIZE_CLASSES[balanceSizePx(digitCountOf(text))];

export interface BalanceAmountProps {
  /** `undefined` while it is loading. */
  amount: TokenUnits | undefined;
  symbol: string;
}

/** An amount as the largest element of its screen. The more digits it has, the smaller it is. */
export function BalanceAmount({ amount, symbol }: BalanceAmountProps) {
  if (amount === undefined) {
    return (
      <p role="status" aria-label={m.wallet_balance_loading()} className="flex h-12 items-center">
        <Skeleton className="h-9 w-44" />
      </p>
    );
  }
  const text = formatAthRoundedUp(amount);
  return (
    <p
      aria-live="polite"
      className={classNames('amount', amountSizeClass(text))}
      style={{ ['--length' as string]: text.length }}
    >
      {text}{' '}
      <span className="text-lead font-text inline-block font-semibold tracking-normal">
        {symbol}
      </span>
    </p>
  );
}

/** `~$84.15`, `~$1.2K` (spec 9). Keeps its height while the amount is unknown. */
export function UsdApprox(props: { amount: UsdCents | undefined; className?: string }) {
  return (
    <span className={classNames('tabular inline-block min-h-6', props.className)}>
      {props.amount === undefined ? '' : formatApproximateUsd(props.amount)}
    </span>
  );
}

export interface BalanceCardProps extends BalanceAmountProps {
  label?: string;
  usd: UsdCents | undefined;
  /** The time at which the balance was fetched, if it may have changed since. */
  asOf?: string | undefined;
  /** Set if the balance could not be loaded. A notice with this retry action replaces the card. */
  onRetry?: (() => void) | undefined;
  /** Shown below the value, one per line: incoming amounts that no balance includes. */
  notes?: readonly string[] | undefined;
  /** Shown at the top right: the tier badge. */
  badge?: ReactNode;
  /** Shown below the balance: the links of the wallet block. */
  actions?: ReactNode;
}

/** The balance and its value in dollars on the brand's gradient. */
export function BalanceCard(props: BalanceCardProps) {
  if (props.onRetry !== undefined)
    return <FailureNotice text={m.wallet_balance_failed()} onTryAgain={props.onRetry} />;
  return (
    <section
      aria-label={m.wallet_block_label()}
      className="rounded-large text-card-ink from-card-from to-card-to relative overflow-hidden bg-linear-135 p-5"
    >
      <CardContours />
      <div className="@container/card relative flex flex-col">
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-3">
          <h2 className="text-body font-semibold">{props.label ?? m.common_balance()}</h2>
          {props.badge}
        </div>
        <BalanceAmount amount={props.amount} symbol={props.symbol} />
        <UsdApprox amount={props.usd} className="text-card-ink-quiet text-body font-semibold" />
        {props.asOf !== undefined && <p className="text-caption font-semibold">{props.asOf}</p>}
        {/* Rendered before its first line, so that screen readers announce what arrives. */}
        <div role="status" className="text-caption tabular font-semibold">
          {props.notes?.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
        {props.actions !== undefined && (
          <div className="flex flex-wrap gap-2 pt-5 *:grow">{props.actions}</div>
        )}
      </div>
    </section>
  );
}

/** Contour lines of a mountain behind the amounts. */
function CardContours() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 240"
      preserveAspectRatio="xMaxYMid slice"
      className="stroke-card-ink pointer-events-none absolute inset-0 size-full opacity-10"
      fill="none"
      strokeWidth="1.5"
    >
      {[0, 1, 2, 3, 4, 5, 6].map((ring) => (
        <path
          key={ring}
          transform={`translate(330 70) scale(${0.35 + ring * 0.32})`}
          d="M0-70C28-70 44-40 70-22s32 58 4 82-62 14-92 10-62-22-58-58 16-34 34-54S-24-70 0-70Z"
        />
      ))}
    </svg>
  );
}

/** The look of a link or button on the balance card. */
export const cardActionClass =
  'target rounded-pill bg-card-ink text-card-from text-body inline-flex items-center justify-center gap-2 px-3 py-2.5 font-semibold transition duration-150 ease-out hover:brightness-125 active:scale-[0.98] focus-visible:outline-card-ink';
