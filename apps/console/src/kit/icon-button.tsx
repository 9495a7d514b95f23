import { classNames } from '@athos/ui/primitives/class-names';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';

interface DenseIconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'aria-label' | 'children'
> {
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export const denseIconButtonClass =
  'control rounded-dense text-ink-quiet hover:text-ink hover:bg-sunken inline-flex shrink-0 items-center justify-center transition-colors duration-150 ease-out';

/** A square button with an icon of 14 to 18 px. */
export function DenseIconButton({ label, icon, ...rest }: DenseIconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(denseIconButtonClass)}
    >
      {icon}
    </button>
  );
}
