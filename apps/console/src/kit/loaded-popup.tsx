import { Popover } from '@base-ui/react/popover';
import { classNames } from '@athos/ui/primitives/class-names';
import { useState, type ReactNode } from 'react';
import { popupClass } from './popup.ts';

export interface PopupProps {
  /** The accessible name of the popup. */
  label: string;
  trigger: ReactNode;
  triggerClass: string;
  /** Renders the content; `close` closes the popup. */
  children: (close: () => void) => ReactNode;
}

/** Initially open, because it is first rendered when the button is pressed. */
export function LoadedPopup({ label, trigger, triggerClass, children }: PopupProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger className={triggerClass}>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" className="z-30">
          <Popover.Popup
            aria-label={label}
            className={classNames(popupClass, 'w-64 max-w-(--available-width)')}
          >
            {children(() => setIsOpen(false))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
