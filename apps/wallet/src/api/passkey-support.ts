import { isInShell, phonePasskeys } from '../native/shell.ts';

/** Whether passkeys can be made and used here. A site without a host name has none. */
export const hasPasskeys = (): boolean =>
  isInShell()
    ? phonePasskeys.get() !== undefined
    : 'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(globalThis.location.hostname);
