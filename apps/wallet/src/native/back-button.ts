import { app } from './plugins.ts';

/** What may be open over the screen: dialogs of Base UI and of the browser, lists and menus. */
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
 * Handles Android's back button: closes what is open over the screen, goes back or, on a root screen, minimises the
 * app. The app keeps running, so a payment in progress is still watched.
 */
export async function followBackButton(isRoot: (pathname: string) => boolean): Promise<void> {
  await app.addListener('backButton', ({ canGoBack }) => {
    if (closeOverlay()) return;
    if (canGoBack && !isRoot(location.pathname)) history.back();
    else void app.minimizeApp();
  });
}
