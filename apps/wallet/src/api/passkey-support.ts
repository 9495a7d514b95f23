import { isInShell } from '../native/shell.ts';

/** A site without a host name cannot have passkeys, and the packaged app has another origin than the wallet. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis &&
  !isInShell() &&
  !/^[\d.]+$|^\[/.test(globalThis.location.hostname);
