import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';

export interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'aria-label' | 'children'
> {
  /** The accessible name, because there is no visible text. */
  label: string;
  icon: ReactNode;
  variant?: 'plain' | 'filled';
  ref?: Ref<HTMLButtonElement> | undefined;
}

export const iconButtonClass = (variant: 'plain' | 'filled' = 'plain'): string =>
  classNames(
    'target rounded-pill text-ink inline-flex shrink-0 items-center justify-center',
    'transition duration-150 ease-out active:scale-95 disabled:text-ink-quiet',
    variant === 'filled' ? 'bg-sunken hover:brightness-95' : 'hover:bg-sunken',
  );

/** A round button of 44 px with an icon of 20 to 24 px. */
export function IconButton({ label, icon, variant = 'plain', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={iconButtonClass(variant)}
    >
      {icon}
    </button>
  );
}
