/** The filters of a list as chips. A chip opens its editor; a button adds a filter. */
import { m } from '@athos/messages/messages';
import { buttonClass } from '@athos/ui/primitives/button-class';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import ListFilter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, useState } from 'react';
import { DenseField } from './dense-field.tsx';
import { DenseIconButton } from './icon-button.tsx';
import type { Filter, ListView } from './list-view.ts';
import { PopupButton } from './popup-button.tsx';
import { optionClass } from './popup.ts';
import { dayText } from './time.tsx';

interface FilterBarProps {
  filters: readonly Filter[];
  view: ListView;
}

export function FilterBar({ filters, view }: FilterBarProps) {
  const set = filters.filter(({ id }) => id in view.values);
  const unset = filters.filter(({ id }) => !(id in view.values));
  return (
    <div
      role="group"
      aria-label={m.console_filters()}
      className="flex flex-wrap items-center gap-2"
    >
      {set.map((filter) => (
        <Chip key={filter.id} filter={filter} view={view} />
      ))}
      {unset.length > 0 && <AddFilter filters={unset} view={view} />}
      {set.length > 1 && (
        <Button variant="plain" isDense onClick={view.clear}>
          {m.console_filters_clear()}
        </Button>
      )}
    </div>
  );
}

/** The text of a filter's value. */
function valueText(filter: Filter, value: string): string {
  if (filter.kind === 'day') return dayText(value);
  if (filter.kind !== 'choice') return value;
  return filter.options.find((option) => option.value === value)?.label ?? value;
}

function Chip({ filter, view }: { filter: Filter; view: ListView }) {
  const value = view.values[filter.id] ?? '';
  return (
    <span className="rounded-dense bg-surface inset-ring-line-strong inline-flex max-w-full items-center inset-ring">
      <PopupButton
        label={filter.label}
        triggerClass="control rounded-dense text-dense hover:bg-sunken inline-flex min-w-0 flex-wrap items-center gap-x-1.5 pr-1 pl-3"
        trigger={
          <>
            <span className="text-ink-quiet">{filter.label}</span>
            <span className="max-w-48 truncate font-semibold">{valueText(filter, value)}</span>
          </>
        }
      >
        {(close) => <FilterEditor filter={filter} view={view} onDone={close} />}
      </PopupButton>
      <DenseIconButton
        label={m.console_filter_remove({ filter: filter.label })}
        icon={<X size={14} aria-hidden />}
        onClick={() => view.setValue(filter.id, undefined)}
      />
    </span>
  );
}

function AddFilter({ filters, view }: FilterBarProps) {
  return (
    <PopupButton
      label={m.console_filter_add()}
      triggerClass={buttonClass({ variant: 'quiet', isDense: true })}
      trigger={
        <>
          <ListFilter size={16} aria-hidden />
          {m.console_filter_add()}
        </>
      }
    >
      {(close) => <FilterChoice filters={filters} view={view} onDone={close} />}
    </PopupButton>
  );
}

/** Chooses a filter, then its value. */
function FilterChoice({ filters, view, onDone }: FilterBarProps & { onDone: () => void }) {
  const [chosen, setChosen] = useState(filters.length === 1 ? filters[0] : undefined);
  if (chosen !== undefined) return <FilterEditor filter={chosen} view={view} onDone={onDone} />;
  return (
    <ul className="flex flex-col">
      {filters.map((filter) => (
        <li key={filter.id}>
          <button type="button" className={optionClass} onClick={() => setChosen(filter)}>
            {filter.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

interface EditorProps {
  filter: Filter;
  view: ListView;
  onDone: () => void;
}

/** Sets the value of one filter. */
function FilterEditor({ filter, view, onDone }: EditorProps) {
  const content = useRef<HTMLDivElement>(null);
  // The editor replaces the choice that had the focus.
  useEffect(() => content.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const value = view.values[filter.id] ?? '';
  function handleApply(next: string): void {
    view.setValue(filter.id, next.trim());
    onDone();
  }
  const editor = { filter, value, onApply: handleApply };
  return (
    <div ref={content}>
      {filter.kind === 'choice' ? <OptionEditor {...editor} /> : <TextEditor {...editor} />}
    </div>
  );
}

interface ValueProps {
  filter: Filter;
  value: string;
  onApply: (value: string) => void;
}

function OptionEditor({ filter, value, onApply }: ValueProps) {
  const options = filter.kind === 'choice' ? filter.options : [];
  return (
    <fieldset>
      <legend className="text-caption text-ink-quiet px-2 py-1.5 font-semibold">
        {filter.label}
      </legend>
      <ul className="flex max-h-80 flex-col overflow-y-auto">
        {options.map((option) => (
          <li key={option.value}>
            <button
              type="button"
              aria-pressed={option.value === value}
              className={classNames(optionClass, option.value === value && 'font-semibold')}
              onClick={() => onApply(option.value)}
            >
              {option.label}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function TextEditor({ filter, value, onApply }: ValueProps) {
  const [text, setText] = useState(value);
  return (
    <form
      className="flex flex-col gap-3 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        onApply(text);
      }}
    >
      <DenseField
        label={filter.label}
        value={text}
        onValueChange={setText}
        type={filter.kind === 'day' ? 'date' : 'text'}
        inputMode={filter.kind === 'amount' ? 'decimal' : undefined}
        {...(filter.kind === 'text' && filter.hint !== undefined && { hint: filter.hint })}
      />
      <Button type="submit" isDense>
        {m.console_filter_apply()}
      </Button>
    </form>
  );
}
