import { m } from '@athos/messages/messages';
import { buttonClass } from '@athos/ui/primitives/button-class';
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { MenuAction } from './loaded-menu.tsx';
import { MenuButton } from './popup-button.tsx';

/** The actions on an object. A disabled action stays visible and shows the reason. */
export function ActionMenu({ actions }: { actions: readonly MenuAction[] }) {
  return (
    <MenuButton
      actions={actions}
      triggerClass={buttonClass({ variant: 'quiet', isDense: true })}
      trigger={
        <>
          {m.console_actions()}
          <ChevronDown size={16} aria-hidden />
        </>
      }
    />
  );
}
