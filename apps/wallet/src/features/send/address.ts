import { addressOfScan } from '@athos/domain/qr-payload';
import { isUuid } from '@athos/domain/uuid';

/** Spec 9: the length of an address in the contact list. */
export const LIST_ADDRESS_LENGTH = 15;
/** Spec 9: the length of an address in the removal toast. */
export const TOAST_ADDRESS_LENGTH = 10;

/** The first characters of an address, followed by `…` if it is longer. */
export const shortenAddress = (address: string, length: number): string =>
  address.length <= length ? address : `${address.slice(0, length)}…`;

/** Returns the address in typed or pasted text: `d.a` of a scanned code, a uuid in lower case, or the text itself. */
export const addressOfText = (text: string): string => addressOfScan(text) ?? text.trim();

export type AddressFault = 'empty' | 'invalid' | 'own';

/** Why an address cannot receive a send; `undefined` if it can. */
export function addressFault(address: string, ownUuid: string): AddressFault | undefined {
  if (address === '') return 'empty';
  if (!isUuid(address)) return 'invalid';
  return address === ownUuid.toLowerCase() ? 'own' : undefined;
}
