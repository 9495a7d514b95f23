/** Buttons that open a menu or a popup. Its code is loaded at the first press. */
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { MenuProps } from './loaded-menu.tsx';
import type { PopupProps } from './loaded-popup.tsx';

const LoadedMenu = lazy(async () => ({ default: (await import('./loaded-menu.tsx')).LoadedMenu }));
const LoadedPopup = lazy(async () => ({
  default: (await import('./loaded-popup.tsx')).LoadedPopup,
}));

interface TriggerProps {
  trigger: ReactNode;
  triggerClass: string;
}

/** Renders `children` after the first press. Before that, and while they load, renders a button that looks the same. */
function FromFirstPress(props: TriggerProps & { children: ReactNode; opens: 'menu' | 'dialog' }) {
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <button
      type="button"
      aria-haspopup={props.opens}
      aria-expanded={false}
      className={props.triggerClass}
      onClick={() => setIsWanted(true)}
    >
      {props.trigger}
    </button>
  );
  return isWanted ? <Suspense fallback={button}>{props.children}</Suspense> : button;
}

/** Opens a menu. */
export function MenuButton(props: MenuProps) {
  return (
    <FromFirstPress opens="menu" trigger={props.trigger} triggerClass={props.triggerClass}>
      <LoadedMenu {...props} />
    </FromFirstPress>
  );
}

/** Opens a small form or list. */
export function PopupButton(props: PopupProps) {
  return (
    <FromFirstPress opens="dialog" trigger={props.trigger} triggerClass={props.triggerClass}>
      <LoadedPopup {...props} />
    </FromFirstPress>
  );
}
