/** The search of a list: one field for any identifier at hand. The searched text is in the address. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useRef, useState } from 'react';
import { DenseField } from './dense-field.tsx';
import { useKey } from './keys.ts';
import type { Filter, ListView } from './list-view.ts';

/** The filter that the search sets. It has no chip, because the field shows it. */
export const searchFilter = (label: string): Filter => ({ id: 'q', label, kind: 'text' });

interface ListSearchProps {
  view: ListView;
  label: string;
  /** Names what can be searched for. */
  hint: string;
}

export function ListSearch(props: ListSearchProps) {
  // Remounted when the address changes, so that it always shows the searched text.
  return <Search key={props.view.values['q'] ?? ''} {...props} />;
}

function Search({ view, label, hint }: ListSearchProps) {
  const [text, setText] = useState(view.values['q'] ?? '');
  const input = useRef<HTMLInputElement>(null);
  useKey('/', m.console_search_key(), () => input.current?.focus());
  return (
    <search className="max-w-column w-full">
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          view.setValue('q', text.trim());
        }}
      >
        <DenseField
          ref={input}
          type="search"
          label={label}
          isLabelHidden
          placeholder={hint}
          enterKeyHint="search"
          value={text}
          onValueChange={setText}
        />
        <Button type="submit" variant="quiet" isDense>
          {m.console_search_submit()}
        </Button>
      </form>
    </search>
  );
}
