/** What the wallet and the server agree on about saved recipients (decision 0066). */

/** Contacts of an account that the server keeps. */
export const CONTACTS_MAX = 500;
/** Contacts that one call may change. */
export const CONTACTS_PER_CALL = 100;
/** The largest number of its database column. */
export const CONTACT_VERSION_MAX = 2_147_483_647;
/** How long the server remembers that a contact was deleted. */
export const DELETED_CONTACTS_KEPT_MS = 180 * 24 * 60 * 60_000;

export const ALIAS_LENGTH_MAX = 60;

/** Signs that nobody sees: of control, such that turn the text, and halves of a sign. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

/** The text as a name that can be saved: without hidden signs and outer spaces. It may be empty. */
export const aliasOfText = (text: string): string => text.replaceAll(HIDDEN, '').trim();

/** Whether a text can be saved as it is. */
export const isAlias = (text: string): boolean =>
  text !== '' && text.length <= ALIAS_LENGTH_MAX && aliasOfText(text) === text;
