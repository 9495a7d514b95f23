/** The properties of this phone's browser that matter for stored tickets: the phone's label, and how long its storage lasts. */
import { m } from '@athos/messages/messages';
import { isInShell } from '../native/shell.ts';

const asks = (query: string): boolean =>
  typeof matchMedia === 'function' && matchMedia(query).matches;

/** Codes are shown at a gate, so a computer does not become the ticket phone. */
export const isPhone = (): boolean => isInShell() || asks('(pointer: coarse)');

/** The label of this phone. All phones of the same kind have the same one. */
export function phoneLabel(): string {
  const name = /iPhone|iPad|Android|Windows|Macintosh|Linux/.exec(navigator.userAgent)?.[0];
  return name ?? m.purchases_ticket_phone();
}

/**
 * Whether this browser deletes its storage after seven days without a visit: WebKit does, and on iOS every browser is WebKit, unless the
 * page was added to the home screen. The packaged app is exempt.
 */
export function forgetsAfterAWeek(): boolean {
  const { userAgent } = navigator;
  const isWebKit =
    /(?:Version|CriOS|FxiOS|EdgiOS)\//.test(userAgent) && !/Android|Chrome\//.test(userAgent);
  return isWebKit && !isInShell() && !asks('(display-mode: standalone)');
}

/** Asks the browser not to delete the tickets when the disk is full. The code does not depend on the answer. */
export function askToKeep(): void {
  if (!('storage' in navigator) || !('persist' in navigator.storage)) return;
  void navigator.storage.persist().catch(() => undefined);
}
