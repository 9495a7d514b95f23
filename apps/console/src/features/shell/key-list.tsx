import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { keyBindings, useKey } from '../../kit/keys.ts';
import { KeyCap } from './key-cap.tsx';

/** The label of a key. */
const printed = (keys: string): string => keys.replace('mod+k', 'Ctrl K').replace('Escape', 'Esc');

/** The list of keys, which `?` opens. It shows the bindings of this screen. */
export function KeyList() {
  const bindings = useValue(keyBindings);
  const [isOpen, setIsOpen] = useState(false);
  useKey('?', m.console_keys_list(), () => setIsOpen(true));
  if (!isOpen) return null;
  return (
    <Dialog onClose={() => setIsOpen(false)} title={m.console_keys_title()}>
      <dl className="text-dense grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {bindings.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt className="flex flex-wrap gap-1">
              {printed(keys)
                .split(' ')
                .map((key) => (
                  <KeyCap key={key} keys={key} />
                ))}
            </dt>
            <dd className="wrap-anywhere">{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
