import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { classNames } from '../primitives/class-names.ts';

export interface CheckboxProps {
  isChecked: boolean;
  onCheckedChange: (isChecked: boolean) => void;
  isDisabled?: boolean;
  /** Id of the text that says why it is disabled. */
  describedBy?: string | undefined;
  /** The label. Pressing it toggles the box. */
  children: ReactNode;
}

/** A native checkbox with its label. The touch target is at least 44 px. */
export function Checkbox(props: CheckboxProps) {
  const { isChecked, onCheckedChange, isDisabled = false, describedBy, children } = props;
  return (
    <label
      className={classNames(
        'target flex min-w-0 grow items-center gap-3',
        isDisabled ? 'cursor-not-allowed' : 'cursor-pointer',
      )}
    >
      <span className="relative flex size-6 shrink-0">
        <input
          type="checkbox"
          checked={isChecked}
          disabled={isDisabled}
          aria-describedby={describedBy}
          onChange={(event) => onCheckedChange(event.target.checked)}
          className={classNames(
            'peer size-6 appearance-none rounded-[0.5rem] inset-ring-2 transition-colors duration-150 ease-out',
            'bg-surface inset-ring-line-strong checked:bg-primary checked:inset-ring-primary disabled:bg-sunken',
          )}
        />
        <Check
          size={18}
          strokeWidth={3}
          aria-hidden
          className="text-primary-ink pointer-events-none absolute inset-0 m-auto hidden peer-checked:block"
        />
      </span>
      <span className="flex min-w-0 grow flex-wrap items-center gap-3">{children}</span>
    </label>
  );
}
