import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';
import { Link } from './link.tsx';

export interface ListRowProps {
  title: ReactNode;
  subtitle?: ReactNode;
  /** An icon, avatar or token of 44 px. */
  leading?: ReactNode;
  /** An amount, aligned right in tabular figures. */
  trailing?: ReactNode;
  trailingSubtitle?: ReactNode;
  /** Makes the row a link. */
  to?: string;
  /** Makes the row a button. */
  onPress?: (() => void) | undefined;
  isSelected?: boolean | undefined;
  /** A separate control beside the row, such as a delete button. */
  control?: ReactNode;
  /** For a virtual list: measures the row and identifies it. */
  place?: { ref: Ref<HTMLLIElement>; 'data-index': number };
}

/** One line of a list, at least 64 px high. Put it into `List`. */
export function ListRow(props: ListRowProps) {
  const { to, onPress, isSelected, control, place } = props;
  const look = classNames(
    'flex min-h-16 w-full min-w-0 grow items-center gap-3 px-gutter py-3 text-left transition-colors duration-150 ease-out',
    (to !== undefined || onPress !== undefined) &&
      'hover:bg-sunken active:bg-sunken -outline-offset-3',
  );
  const body = <RowBody {...props} />;
  return (
    <li
      {...place}
      className={classNames(
        'flex items-center overflow-hidden first:rounded-t-[inherit] last:rounded-b-[inherit]',
        isSelected && 'bg-sunken',
      )}
    >
      {to !== undefined ? (
        <Link to={to} aria-current={isSelected || undefined} className={look}>
          {body}
        </Link>
      ) : onPress !== undefined ? (
        <button type="button" onClick={onPress} aria-pressed={isSelected} className={look}>
          {body}
        </button>
      ) : (
        <div className={look}>{body}</div>
      )}
      {control !== undefined && <div className="shrink-0 pr-2">{control}</div>}
    </li>
  );
}

/** The spaces between the parts are invisible, but separate the words of the row's accessible name. */
function RowBody(props: ListRowProps) {
  const { leading, title, subtitle, trailing, trailingSubtitle, to } = props;
  return (
    <>
      {/* With large text, parts wrap to their own lines: those without room beside the title go below it, and the title below its icon. */}
      <span className="flex min-w-0 grow flex-wrap items-center gap-x-3 gap-y-1">
        {leading}
        <span className="flex min-w-0 flex-[1_1_8rem] flex-wrap items-center gap-x-3">
          <span className="flex min-w-0 flex-[1_1_7rem] flex-col">
            <span className="text-body font-semibold">{title}</span>{' '}
            {subtitle !== undefined && (
              <span className="text-caption text-ink-quiet">{subtitle}</span>
            )}
          </span>{' '}
          {trailing !== undefined && (
            <span className="ml-auto flex max-w-full flex-col items-end text-right wrap-anywhere">
              <span className="text-body tabular font-semibold">{trailing}</span>{' '}
              {trailingSubtitle !== undefined && (
                <span className="text-caption text-ink-quiet tabular">{trailingSubtitle}</span>
              )}
            </span>
          )}
        </span>
      </span>
      {to !== undefined && trailing === undefined && (
        <ChevronRight size={20} aria-hidden className="text-ink-quiet shrink-0" />
      )}
    </>
  );
}

/** A card of rows, divided by lines. */
export function List(props: { children: ReactNode; label?: string }) {
  return (
    <ul
      aria-label={props.label}
      className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring"
    >
      {props.children}
    </ul>
  );
}

/** The round background of a row's icon. */
export function RowIcon(props: { children: ReactNode; tone?: 'neutral' | 'success' | 'danger' }) {
  const tones = {
    neutral: 'bg-sunken text-ink',
    success: 'bg-success-surface text-success',
    danger: 'bg-danger-surface text-danger',
  };
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'rounded-pill flex size-11 shrink-0 items-center justify-center',
        tones[props.tone ?? 'neutral'],
      )}
    >
      {props.children}
    </span>
  );
}
