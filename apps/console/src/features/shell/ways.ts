/** The screens that a person may open, and the two-key sequence that leads to each. */
import type { Permission } from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import type { FunctionComponent } from 'react';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { keyBindings, useKey, type KeyBinding } from '../../kit/keys.ts';

export interface NavItem {
  readonly path: string;
  readonly label: string;
  readonly icon: FunctionComponent<{ size?: number; className?: string }>;
  /** The key after `g`. */
  readonly key: string;
  /** Shows the number of waiting objects. */
  readonly Count?: FunctionComponent;
}

/** A screen that requires a permission. */
export interface GuardedItem extends NavItem {
  readonly permission: Permission;
}

export interface NavSection {
  readonly title: string;
  readonly items: readonly NavItem[];
}

/** Binds `g` and a letter for each screen, and Ctrl K for the palette. */
export function useWays(sections: readonly NavSection[], openPalette: () => void): void {
  const navigate = useNavigate();
  const go = useEffectEvent((path: string) => void navigate(path));
  useKey('mod+k', m.console_keys_palette(), openPalette);
  useEffect(() => {
    const ways = sections.flatMap(({ items }) =>
      items.map(({ path, label, key }): KeyBinding => ({
        keys: `g ${key}`,
        label: m.console_keys_go({ screen: label }),
        act: () => go(path),
      })),
    );
    keyBindings.set([...ways, ...keyBindings.get()]);
    return () => keyBindings.set(keyBindings.get().filter((binding) => !ways.includes(binding)));
  }, [sections]);
}
