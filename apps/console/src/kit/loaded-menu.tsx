import { Menu } from '@base-ui/react/menu';
import { classNames } from '@athos/ui/primitives/class-names';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { optionClass, popupClass } from './popup.ts';

export interface MenuAction {
  readonly label: string;
  readonly onPress: () => void;
  /** The reason why it cannot be done now: the state of the object, or a missing permission (O-032). */
  readonly disabledReason?: string | undefined;
  readonly isDanger?: boolean;
  /** Makes it an option that is on or off, and keeps the menu open. */
  readonly isChecked?: boolean;
}

export interface MenuProps {
  trigger: ReactNode;
  triggerClass: string;
  actions: readonly MenuAction[];
}

/** Initially open, because it is first rendered when the button is pressed. */
export function LoadedMenu({ trigger, triggerClass, actions }: MenuProps) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={triggerClass}>{trigger}</Menu.Trigger>
      {/* Rendered within the main landmark, where screen readers look for it. */}
      <Menu.Portal container={document.querySelector('main')}>
        <Menu.Positioner sideOffset={4} align="end" className="z-30">
          <Menu.Popup
            className={classNames(
              popupClass,
              'max-h-(--available-height) overflow-y-auto',
              'max-w-[min(20rem,var(--available-width))] min-w-[min(14rem,var(--available-width))]',
            )}
          >
            {actions.map((action) => (
              <Action key={action.label} {...action} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Action({ label, onPress, disabledReason, isDanger, isChecked }: MenuAction) {
  if (isChecked !== undefined) {
    return (
      <Menu.CheckboxItem
        checked={isChecked}
        onCheckedChange={onPress}
        closeOnClick={false}
        className={optionClass}
      >
        <span className="inline-flex w-5">
          <Menu.CheckboxItemIndicator>
            <Check size={16} aria-hidden />
          </Menu.CheckboxItemIndicator>
        </span>
        {label}
      </Menu.CheckboxItem>
    );
  }
  const isDisabled = disabledReason !== undefined;
  return (
    <Menu.Item
      disabled={isDisabled}
      onClick={onPress}
      className={classNames(
        optionClass,
        'flex-wrap py-1.5',
        !isDisabled && isDanger && 'text-danger',
        isDisabled && 'text-ink-quiet cursor-not-allowed',
      )}
    >
      <span className="grow">{label}</span>
      {isDisabled && <span className="text-caption w-full text-pretty">{disabledReason}</span>}
    </Menu.Item>
  );
}
