import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'quiet' | 'danger' | 'plain';

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  /** Full width, for the primary action of a phone screen. */
  isWide?: boolean | undefined;
  /** Less tall, for use inside a card or row. The touch target stays 44 px. */
  isCompact?: boolean | undefined;
  /** For the console: 32 px high for a mouse, in the text size of its rows. */
  isDense?: boolean | undefined;
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'bg-primary text-primary-ink hover:brightness-110 disabled:bg-ink/8 disabled:text-ink-quiet disabled:inset-ring disabled:inset-ring-line',
  quiet:
    'bg-surface text-ink inset-ring inset-ring-line-strong hover:bg-sunken disabled:text-ink-quiet disabled:inset-ring-line',
  danger:
    'bg-danger-solid text-danger-solid-ink hover:brightness-110 disabled:bg-ink/8 disabled:text-ink-quiet',
  plain: 'text-accent-text hover:bg-sunken disabled:text-ink-quiet',
};

/** The look of a button, for buttons and for links that look like one. */
export function buttonClass(look: ButtonLook): string {
  const { variant = 'primary', isWide, isCompact, isDense } = look;
  return classNames(
    'inline-flex items-center justify-center text-center font-semibold select-none',
    'transition duration-150 ease-out active:scale-[0.98] disabled:pointer-events-none',
    isDense
      ? 'control rounded-dense text-dense gap-1.5 px-3'
      : 'target rounded-pill text-body gap-2',
    !isDense && (isCompact ? 'px-4 py-2.5' : 'px-6 py-3.5'),
    isWide && 'w-full',
    VARIANTS[variant],
  );
}
