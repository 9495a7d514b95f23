import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { m } from '@athos/messages/messages';
import { IconButton } from '../primitives/icon-button.tsx';
import { fieldFrameClass } from './text-field.tsx';

export interface SearchBoxProps {
  value: string;
  onValueChange: (value: string) => void;
  label?: string;
}

/** Spec 2: the search box of the shared header. */
export function SearchBox({
  value,
  onValueChange,
  label = m.common_search_label(),
}: SearchBoxProps) {
  return (
    <search className={fieldFrameClass(false)}>
      <Search size={18} aria-hidden className="text-ink-quiet ml-4 shrink-0" />
      <input
        type="search"
        aria-label={label}
        placeholder={m.common_search_placeholder()}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        autoComplete="off"
        enterKeyHint="search"
        className="text-body placeholder:text-ink-quiet min-h-11 w-full min-w-0 grow bg-transparent px-3 outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== '' && (
        <IconButton
          label={m.common_search_clear()}
          icon={<X size={18} aria-hidden />}
          onClick={() => onValueChange('')}
        />
      )}
    </search>
  );
}
