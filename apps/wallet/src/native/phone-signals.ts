/** The phone's signals that the wallet follows while it runs: network, keyboard, theme and Back button. */
import { app, keyboard, network, systemBars, SystemBarsStyle } from './plugins.ts';

/** Calls `onLost` if the phone has no network, and whenever it loses it. */
export async function followNetwork(onLost: () => void): Promise<void> {
  const handle = ({ connected }: { connected: boolean }): void => {
    if (!connected) onLost();
  };
  await network.addListener('networkStatusChange', handle);
  handle(await network.getStatus());
}

/** Sets `data-keyboard` on the page while the keyboard is open, and keeps the focused field in view. */
export async function followKeyboard(): Promise<void> {
  const root = document.documentElement;
  await keyboard.addListener('keyboardDidShow', () => {
    root.dataset['keyboard'] = 'open';
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  });
  await keyboard.addListener('keyboardWillHide', () => {
    delete root.dataset['keyboard'];
  });
}

const prefersDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? prefersDark().matches : theme === 'dark';
};

const paint = (): void =>
  // `SystemBarsStyle` is named after the background, not after the icons.
  void systemBars.setStyle({ style: isDark() ? SystemBarsStyle.Dark : SystemBarsStyle.Light });

/** Makes clock and battery readable on the page's background: light on the dark theme, dark on the light one. */
export function followTheme(): void {
  paint();
  prefersDark().addEventListener('change', paint);
  new MutationObserver(paint).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  });
}

/** Elements that may be open over the screen: dialogs of Base UI and of the browser, lists and menus. */
const OPEN_OVERLAYS =
  'dialog[open], [role="dialog"], [role="alertdialog"], [role="listbox"], [role="menu"]';

/** Closes the topmost overlay, as Esc does, unless it may not be closed. Returns whether anything was open. */
function closeOverlay(): boolean {
  const top = [...document.querySelectorAll(OPEN_OVERLAYS)].at(-1);
  if (top === undefined) return false;
  const escape = { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true };
  const place = top.contains(document.activeElement) ? document.activeElement : top;
  (place ?? top).dispatchEvent(new KeyboardEvent('keydown', escape));
  return true;
}

/**
 * Handles Android's back button: closes an open overlay, goes back or, on a root screen, minimises the app. The app keeps running, so a
 * payment in progress is still watched.
 */
export async function followBackButton(isRoot: (pathname: string) => boolean): Promise<void> {
  await app.addListener('backButton', ({ canGoBack }) => {
    if (closeOverlay()) return;
    if (canGoBack && !isRoot(location.pathname)) history.back();
    else void app.minimizeApp();
  });
}
