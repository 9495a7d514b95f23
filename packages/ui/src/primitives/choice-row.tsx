import { useId } from 'react';
import type { ReactNode } from 'react';

interface ChoiceRowProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  value: Value;
  onValueChange: (value: Value) => void;
}

/** One of two or three choices, in one row if there is room. */
export function ChoiceRow<Value extends string>(props: ChoiceRowProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-caption text-ink-quiet mb-2 font-semibold">{props.legend}</legend>
      <div className="rounded-large bg-sunken flex flex-wrap gap-1 p-1">
        {props.options.map(({ value, label, icon }) => (
          <label
            key={value}
            className="target rounded-pill flex-[1_1_5.5rem] text-body text-ink-quiet has-checked:bg-raised has-checked:text-ink has-checked:shadow-card has-checked:inset-ring has-checked:inset-ring-line-strong has-focus-visible:outline-3 has-focus-visible:outline-focus flex cursor-pointer items-center justify-center gap-2 px-2 font-semibold transition duration-150 ease-out"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={props.value === value}
              onChange={() => props.onValueChange(value)}
              className="sr-only"
            />
            {icon}
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
