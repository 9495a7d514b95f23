import { FieldError } from '@athos/ui/fields/text-field';
import { classNames } from '@athos/ui/primitives/class-names';
import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react';

/** The frame of a field, also for selects and longer texts. */
const denseFieldClass =
  'control rounded-dense bg-surface text-body small:text-dense inset-ring-line-strong placeholder:text-ink-quiet aria-invalid:inset-ring-danger focus-visible:outline-focus w-full px-3 py-1.5 inset-ring focus-visible:outline-2 focus-visible:outline-offset-0';

interface DenseFrameProps {
  label: string;
  isLabelHidden?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Renders the control with these attributes. */
  children: (control: ControlProps) => ReactNode;
}

interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
  readonly className: string;
}

/** A control with its label above, and its hint and error below. */
function DenseFrame({ label, isLabelHidden, hint, error, children }: DenseFrameProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = classNames(hint !== undefined && hintId, error !== undefined && errorId);
  return (
    <div className="flex w-full min-w-0 flex-col gap-1">
      <label
        htmlFor={id}
        className={isLabelHidden ? 'sr-only' : 'text-caption text-ink-quiet font-semibold'}
      >
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error !== undefined || undefined,
        className: denseFieldClass,
      })}
      {hint !== undefined && (
        <div id={hintId} className="text-caption text-ink-quiet">
          {hint}
        </div>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  );
}

interface DenseFieldProps
  extends
    Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'onChange' | 'value'>,
    Omit<DenseFrameProps, 'children'> {
  value: string;
  onValueChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
}

/** One line of text in the console's size. */
export function DenseField(props: DenseFieldProps) {
  const { label, isLabelHidden = false, hint, error, onValueChange, ...input } = props;
  return (
    <DenseFrame label={label} isLabelHidden={isLabelHidden} hint={hint} error={error}>
      {(control) => (
        <input
          autoComplete="off"
          {...input}
          {...control}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </DenseFrame>
  );
}

interface DenseTextProps extends Omit<DenseFrameProps, 'children'> {
  value: string;
  onValueChange: (value: string) => void;
  rows?: number;
  maxLength?: number;
}

/** Several lines of text. */
export function DenseText(props: DenseTextProps) {
  const { value, onValueChange, rows = 3, maxLength, ...frame } = props;
  return (
    <DenseFrame {...frame}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          maxLength={maxLength}
          value={value}
          onChange={(event) => onValueChange(event.target.value)}
        />
      )}
    </DenseFrame>
  );
}

interface DenseSelectProps extends Omit<DenseFrameProps, 'children'> {
  value: string;
  onValueChange: (value: string) => void;
  options: readonly { readonly value: string; readonly label: string }[];
}

/** A choice between several values, with the browser's own list. */
export function DenseSelect(props: DenseSelectProps) {
  const { value, onValueChange, options, ...frame } = props;
  return (
    <DenseFrame {...frame}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onValueChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </DenseFrame>
  );
}
