/**
 * The keyboard shortcuts of the console, as listed on `?`. One listener serves all. The binding added last wins, so a detail's
 * Esc comes before its list's.
 */
import { createValue } from '@athos/app-core/value';
import { openStored } from '@athos/app-core/stored-value';
import { useEffect, useEffectEvent } from 'react';

export interface KeyBinding {
  /** One key (`j`, `?`, `Escape`), two in a row (`g c`), or one with Ctrl or Cmd (`mod+k`). */
  readonly keys: string;
  /** What it does, for the list. */
  readonly label: string;
  readonly act: () => void;
}

/** WCAG 2.1.4: keys without a modifier can be switched off, because speech input may press them by accident. */
export const areKeysOn = openStored<boolean>({
  key: 'console-keys',
  empty: true,
  parse: (stored) => (typeof stored === 'boolean' ? stored : undefined),
});

export const keyBindings = createValue<readonly KeyBinding[]>([]);

/** How long a sequence waits for its second key. */
const SEQUENCE_MS = 1000;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'));

/** Whether an open dialog or menu receives the keys. */
const isCovered = (): boolean =>
  document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;

/** Starts the listener. Returns a function that stops it. */
export function followKeys(): () => void {
  let first: { key: string; atMs: number } | undefined;

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const hasModifier = event.ctrlKey || event.metaKey;
    if (!hasModifier && (!areKeysOn.get() || isTyping(event.target))) return;
    if (isCovered()) return;
    const key = hasModifier ? `mod+${event.key.toLowerCase()}` : event.key;
    const isSecond = first !== undefined && event.timeStamp - first.atMs < SEQUENCE_MS;
    const keys = isSecond && first !== undefined ? `${first.key} ${key}` : key;
    const bindings = keyBindings.get();
    const found = bindings.findLast((binding) => binding.keys === keys);
    const begins = bindings.some((binding) => binding.keys.startsWith(`${key} `));
    first = found === undefined && begins ? { key, atMs: event.timeStamp } : undefined;
    if (found === undefined) return;
    event.preventDefault();
    found.act();
  }

  addEventListener('keydown', handleKeyDown);
  return () => removeEventListener('keydown', handleKeyDown);
}

/** Binds a key while the component is mounted. Without a label it does nothing. */
export function useKey(keys: string, label: string | undefined, act: () => void): void {
  const handle = useEffectEvent(act);
  useEffect(() => {
    if (label === undefined) return;
    const binding = { keys, label, act: () => handle() };
    keyBindings.set([...keyBindings.get(), binding]);
    return () => keyBindings.set(keyBindings.get().filter((other) => other !== binding));
  }, [keys, label]);
}
