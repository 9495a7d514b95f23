import { useId } from 'react';
import type { InputHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../primitives/class-names.ts';

export interface TextFieldProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'className' | 'onChange' | 'value'
> {
  label: string;
  value: string;
  onValueChange?: (value: string) => void;
  /** The error text, announced when it appears. */
  error?: string | undefined;
  hint?: ReactNode;
  /** A control at the end of the field, 44 px at most. */
  trailing?: ReactNode;
  leading?: ReactNode;
  /** Shows the label only to screen readers. The placeholder must then say the same. */
  isLabelHidden?: boolean;
  ref?: Ref<HTMLInputElement> | undefined;
}

const describedBy = (...ids: (string | false | undefined)[]): string | undefined =>
  ids.filter(Boolean).join(' ') || undefined;

/** One line of text with its label above. Extra props go to the input. */
export function TextField(props: TextFieldProps) {
  const { label, onValueChange, error, hint, trailing, leading, isLabelHidden, ...input } = props;
  const id = useId();
  const fieldId = input.id ?? id;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  return (
    <div className="flex w-full flex-col gap-1.5">
      <label
        htmlFor={fieldId}
        className={isLabelHidden ? 'sr-only' : 'text-caption text-ink-quiet font-semibold'}
      >
        {label}
      </label>
      <div className={fieldFrameClass(error !== undefined)}>
        {leading}
        <input
          autoComplete="off"
          {...input}
          id={fieldId}
          onChange={(event) => onValueChange?.(event.target.value)}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(
            input['aria-describedby'],
            hint !== undefined && hintId,
            error !== undefined && errorId,
          )}
          className="text-body placeholder:text-ink-quiet read-only:text-ink-quiet min-h-12 w-full min-w-0 grow bg-transparent px-4 outline-none read-only:truncate"
        />
        {trailing}
      </div>
      {hint !== undefined && (
        <div id={hintId} className="text-caption text-ink-quiet">
          {hint}
        </div>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  );
}

/** The frame around an input and its controls; the focus ring is drawn on it. */
export const fieldFrameClass = (hasError: boolean): string =>
  classNames(
    'rounded-small bg-surface flex w-full items-center transition duration-150 ease-out inset-ring',
    'has-[input:focus-visible]:outline-3 has-[input:focus-visible]:outline-offset-1 has-[input:focus-visible]:outline-focus',
    hasError ? 'inset-ring-danger' : 'inset-ring-line-strong',
  );

/** Rendered even without an error, so that its appearance is announced. */
export function FieldError(props: { id: string; error: string | undefined }) {
  return (
    <p id={props.id} role="alert" className="text-caption text-danger empty:hidden">
      {props.error}
    </p>
  );
}
