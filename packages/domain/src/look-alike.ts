/**
 * Addresses that are easily mistaken for each other. People compare the beginning and the end of an address, so a forger makes these equal.
 * Six digits match by chance once in eight million pairs.
 */

const DIGITS_COMPARED = 6;

const digitsOf = (address: string): string => address.replaceAll('-', '').toLowerCase();

/** Whether two different addresses could be mistaken for each other. */
export function looksLike(left: string, right: string): boolean {
  const [one, other] = [digitsOf(left), digitsOf(right)];
  if (one === other) return false;
  return (
    one.slice(0, DIGITS_COMPARED) === other.slice(0, DIGITS_COMPARED) ||
    one.slice(-DIGITS_COMPARED) === other.slice(-DIGITS_COMPARED)
  );
}

export interface AddressGroup {
  readonly text: string;
  readonly isDifferent: boolean;
}

/** The groups of an address between its hyphens, with marks on those that differ from the other address. */
export function compareGroups(address: string, other: string): readonly AddressGroup[] {
  const others = other.toLowerCase().split('-');
  return address
    .toLowerCase()
    .split('-')
    .map((text, index) => ({ text, isDifferent: text !== others[index] }));
}
