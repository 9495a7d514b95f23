import { useId } from 'react';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { buttonClass } from './button-class.ts';
import type { ButtonLook } from './button-class.ts';
import { classNames } from './class-names.ts';
import { Link } from './link.tsx';
import type { LinkProps } from './link.tsx';
import { Spinner } from './spinner.tsx';

export interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'>, ButtonLook {
  /** The reason why the button cannot be pressed, shown below it. The button is disabled while there is one. */
  disabledReason?: string | undefined;
  /** The field that has to change already shows the reason, so the button exposes it to screen readers only. */
  isReasonAtField?: boolean | undefined;
  /** Disabled with a spinner while an action runs; the label says which (`Sending...`). */
  isPending?: boolean | undefined;
  /** Disabled without a reason, for example after success. Prefer `disabledReason`. */
  isDisabled?: boolean | undefined;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A dense button and its reason are aligned like the text around them: to the start in a form, to the end in a header. */
const frameClass = (isWide = false, isDense = false): string => {
  if (isDense && !isWide) return 'max-w-full';
  return classNames('flex flex-col gap-2', isWide ? 'w-full' : 'items-center');
};

const reasonClass = (isWide = false, isDense = false): string =>
  classNames(
    'text-caption text-ink-quiet',
    isDense && !isWide ? 'max-w-[22rem] pt-1 text-pretty' : 'text-center text-balance',
  );

/** A button, of type `button` by default. */
export function Button(props: ButtonProps) {
  const { variant, isWide, isCompact, isDense, disabledReason, ...others } = props;
  const { isReasonAtField, isPending, isDisabled, icon, ...rest } = others;
  const reasonId = useId();
  const isBlocked = disabledReason !== undefined || isPending === true || isDisabled === true;
  const button = (
    <button
      type="button"
      {...rest}
      className={buttonClass({ variant, isWide, isCompact, isDense })}
      disabled={isBlocked}
      aria-busy={isPending === true || undefined}
      aria-describedby={disabledReason === undefined ? rest['aria-describedby'] : reasonId}
    >
      {isPending ? <Spinner /> : icon}
      <span>{props.children}</span>
    </button>
  );
  if (disabledReason === undefined) return button;
  return (
    <div className={frameClass(isWide, isDense)}>
      {button}
      <p
        id={reasonId}
        role={isReasonAtField ? undefined : 'status'}
        className={isReasonAtField ? 'sr-only' : reasonClass(isWide, isDense)}
      >
        {disabledReason}
      </p>
    </div>
  );
}

export type ButtonLinkProps = Omit<LinkProps, 'className'> & ButtonLook & { icon?: ReactNode };

/** A link inside the app that looks like a button. */
export function ButtonLink({
  variant,
  isWide,
  isCompact,
  isDense,
  icon,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, isWide, isCompact, isDense })}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}
