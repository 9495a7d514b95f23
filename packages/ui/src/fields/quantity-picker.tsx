import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import { m } from '@athos/messages/messages';
import { CART_COUNT_MAX, CART_COUNT_MIN } from '@athos/domain/cart-limits';
import { IconButton } from '../primitives/icon-button.tsx';

export interface QuantityPickerProps {
  /** Names the counted thing for screen readers. */
  label: string;
  value: number;
  /** The limits of the cart (spec 5) unless given. */
  min?: number;
  max?: number;
  onValueChange: (value: number) => void;
}

/** A whole number of at most two digits, changed by two buttons or typed. */
export function QuantityPicker(props: QuantityPickerProps) {
  const { label, value, min = CART_COUNT_MIN, max = CART_COUNT_MAX, onValueChange } = props;
  const handleText = (text: string): void => {
    const digits = text.replaceAll(/\D/g, '');
    if (digits === '') return;
    // A digit may be typed before or after the current one, so the last two count.
    const typed = Number(digits.slice(-2));
    if (typed >= min) onValueChange(Math.min(typed, max));
  };
  return (
    <div
      role="group"
      aria-label={label}
      className="rounded-pill bg-surface inset-ring-line-strong has-[input:focus-visible]:outline-focus inline-flex max-w-full shrink-0 items-center [&>button]:shrink inset-ring has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-offset-1"
    >
      <IconButton
        label={m.common_quantity_decrease()}
        icon={<Minus size={18} aria-hidden />}
        disabled={value <= min}
        onClick={() => onValueChange(value - 1)}
      />
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={m.common_quantity()}
        value={value}
        onFocus={(event) => event.target.select()}
        onChange={(event) => handleText(event.target.value)}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
          const next = value + step;
          if (step === 0 || next < min || next > max) return;
          event.preventDefault();
          onValueChange(next);
        }}
        className="tabular text-body w-7 bg-transparent text-center font-semibold outline-none"
      />
      <IconButton
        label={m.common_quantity_increase()}
        icon={<Plus size={18} aria-hidden />}
        disabled={value >= max}
        onClick={() => onValueChange(value + 1)}
      />
    </div>
  );
}
