import { useId } from 'react';
import type { ReactNode, Ref } from 'react';
import { classNames } from '../primitives/class-names.ts';
import { FieldError } from '../fields/text-field.tsx';

export interface AmountInputProps {
  label: string;
  value: string;
  onValueChange: (value: string) => void;
  /** The token's symbol, or `USD`. */
  unit: string;
  placeholder?: string;
  /** Shown below the amount: its USD equivalent. */
  equivalent?: ReactNode;
  /** Shown beside the amount, such as the 'All' button. */
  action?: ReactNode;
  error?: string | undefined;
  isDisabled?: boolean;
  /** Whether it is focused when the screen opens. */
  isFocusedAtFirst?: boolean;
  name?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** Turns a comma typed at the end into a point: many phone keypads have no point. */
export const withDecimalPoint = (previous: string, next: string): string =>
  next === `${previous},` ? `${previous}.` : next;

/**
 * Spec 5: accepts numeric text only. Returns `undefined` for other text, so the previous value stays. A comma in pasted text may group
 * thousands, so it is refused.
 */
export function acceptAmountText(previous: string, next: string): string | undefined {
  const text = withDecimalPoint(previous, next).trim();
  return /^\d*\.?\d*$/.test(text) ? text : undefined;
}

/** A longer amount takes the whole line, so even the largest one fits on a phone. */
const LENGTH_BESIDE_ACTION_MAX = 14;

function amountSizeClass(length: number): string {
  if (length <= 7) return 'text-balance-40';
  if (length <= 10) return 'text-balance-34';
  if (length <= 13) return 'text-balance-28';
  return length <= LENGTH_BESIDE_ACTION_MAX ? 'text-balance-24' : 'text-balance-20';
}

/** The amount in large digits, with its unit smaller beside it. */
export function AmountInput({ ref, ...props }: AmountInputProps) {
  const { value, placeholder = '0', error } = props;
  const id = useId();
  const isLong = value.length > LENGTH_BESIDE_ACTION_MAX;
  const handleChange = (next: string) => {
    const accepted = acceptAmountText(value, next);
    if (accepted !== undefined) props.onValueChange(accepted);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-caption text-ink-quiet font-semibold">
        {props.label}
      </label>
      <div
        className={classNames(
          'rounded-medium bg-surface grid grid-cols-[minmax(0,1fr)_auto] items-center px-4 py-3 inset-ring transition duration-150 ease-out',
          'has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-offset-1 has-[input:focus-visible]:outline-focus',
          error === undefined ? 'inset-ring-line-strong' : 'inset-ring-danger',
        )}
      >
        {/* With large text, the amount shrinks until it fits, and its unit moves below it. */}
        <div className={classNames('@container/amount', isLong && 'col-span-2')}>
          <div className="flex flex-wrap items-baseline gap-x-2">
            <input
              id={id}
              ref={ref}
              name={props.name}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              enterKeyHint="done"
              value={value}
              placeholder={placeholder}
              disabled={props.isDisabled}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- the screen exists to enter this amount
              autoFocus={props.isFocusedAtFirst}
              onChange={(event) => handleChange(event.target.value)}
              aria-invalid={error !== undefined || undefined}
              aria-describedby={`${id}-equivalent ${id}-error`}
              className={classNames(
                'amount placeholder:text-ink-quiet field-sizing-content max-w-full min-w-[1ch] bg-transparent outline-none',
                amountSizeClass(value.length),
              )}
              style={{ ['--length' as string]: value.length + 1 }}
            />
            <span className="text-lead text-ink-quiet font-semibold">{props.unit}</span>
          </div>
        </div>
        <div
          id={`${id}-equivalent`}
          className="text-body text-ink-quiet tabular col-start-1 row-start-2 empty:hidden"
        >
          {props.equivalent}
        </div>
        {props.action !== undefined && (
          <div
            className={classNames(
              'col-start-2 pl-3',
              isLong ? 'row-start-2' : 'row-span-2 row-start-1',
            )}
          >
            {props.action}
          </div>
        )}
      </div>
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}
