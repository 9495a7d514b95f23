/** The command palette: one field that leads to every screen and object the person may open. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import Search from 'lucide-react/icons/search';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { popupClass } from '../../kit/popup.ts';
import { useFound, type Choice, type ChoiceGroup } from './found.ts';
import type { NavSection } from './ways.ts';

interface PaletteProps {
  sections: readonly NavSection[];
  onClose: () => void;
}

/** The screens whose name contains the text. */
function screensOf(sections: readonly NavSection[], text: string): readonly ChoiceGroup[] {
  const typed = text.trim().toLowerCase();
  return sections
    .map(({ title, items }) => ({
      value: title,
      items: items
        .filter(({ label }) => label.toLowerCase().includes(typed))
        .map(({ path, label }) => ({ value: path, label })),
    }))
    .filter(({ items }) => items.length > 0);
}

export function Palette({ sections, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const found = useFound(text);
  const groups = [...screensOf(sections, text), ...found.groups];

  function handleChoose(path: string): void {
    onClose();
    void navigate(path);
  }

  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="bg-scrim fixed inset-0 z-40" />
        <Dialog.Viewport className="fixed inset-0 z-40 flex items-start justify-center px-3 pt-[12dvh]">
          <Dialog.Popup
            aria-label={m.console_palette_open()}
            className={classNames(
              popupClass,
              'flex max-h-[70dvh] w-full max-w-[36rem] flex-col p-0',
            )}
          >
            <Autocomplete.Root
              open
              inline
              items={groups}
              filter={null}
              value={text}
              onValueChange={setText}
              autoHighlight="always"
              keepHighlight
              itemToStringValue={(choice: Choice) => choice.label}
            >
              <div className="border-line flex items-center gap-2 border-b px-4">
                <Search size={18} aria-hidden className="text-ink-quiet shrink-0" />
                <Autocomplete.Input
                  aria-label={m.console_palette_open()}
                  placeholder={m.console_palette_hint()}
                  className="text-body placeholder:text-ink-quiet min-h-12 w-full bg-transparent outline-none"
                />
              </div>
              <Dialog.Close className="sr-only">{m.common_close()}</Dialog.Close>
              <div className="overflow-y-auto p-1">
                <Autocomplete.Empty>
                  <p className="text-dense text-ink-quiet px-3 py-6 text-center empty:hidden">
                    {found.isAsking ? m.common_loading() : m.console_palette_none()}
                  </p>
                </Autocomplete.Empty>
                <Choices onChoose={handleChoose} />
              </div>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({ onChoose }: { onChoose: (path: string) => void }) {
  return (
    <Autocomplete.List>
      {(group: ChoiceGroup) => (
        <Autocomplete.Group key={group.value} items={group.items}>
          <Autocomplete.GroupLabel className="text-caption text-ink-quiet px-3 pt-3 pb-1 font-semibold">
            {group.value}
          </Autocomplete.GroupLabel>
          <Autocomplete.Collection>
            {(choice: Choice) => (
              <Autocomplete.Item
                key={choice.value}
                value={choice}
                onClick={() => onChoose(choice.value)}
                className="control rounded-dense data-highlighted:bg-sunken flex cursor-pointer items-center px-3 outline-none select-none"
              >
                <span className="min-w-0 wrap-anywhere">{choice.label}</span>
              </Autocomplete.Item>
            )}
          </Autocomplete.Collection>
        </Autocomplete.Group>
      )}
    </Autocomplete.List>
  );
}
