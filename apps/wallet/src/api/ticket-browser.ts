/** What this phone's browser means for the tickets that it keeps: what the phone is called, and how long anything is kept. */
import { m } from '@athos/messages/messages';
import { isInShell } from '../native/shell.ts';

const asks = (query: string): boolean =>
  typeof matchMedia === 'function' && matchMedia(query).matches;

/** Codes are shown at a gate, so a computer does not become the ticket phone. */
export const isPhone = (): boolean => isInShell() || asks('(pointer: coarse)');

/** What this phone calls itself. Every phone of its kind has the same name. */
export function phoneLabel(): string {
  const name = /iPhone|iPad|Android|Windows|Macintosh|Linux/.exec(navigator.userAgent)?.[0];
  return name ?? m.purchases_ticket_phone();
}

/**
 * Whether this browser deletes what it keeps after seven days without a visit: WebKit does, on iOS under every browser's name,
 * unless the page was added to the home screen. The packaged app is not asked for.
 */
export function forgetsAfterAWeek(): boolean {
  const { userAgent } = navigator;
  const isWebKit =
    /(?:Version|CriOS|FxiOS|EdgiOS)\//.test(userAgent) && !/Android|Chrome\//.test(userAgent);
  return isWebKit && !isInShell() && !asks('(display-mode: standalone)');
}

/** Asks the browser not to delete the tickets when the disk is full. What it answers changes nothing here. */
export function askToKeep(): void {
  if (!('storage' in navigator) || !('persist' in navigator.storage)) return;
  void navigator.storage.persist().catch(() => undefined);
}
