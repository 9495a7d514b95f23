/** Rules on saved recipients that wallet and server share (decision 0066). */

/** The maximum number of contacts per account on the server. */
export const CONTACTS_MAX = 500;
/** The maximum number of contacts that one call may change. */
export const CONTACTS_PER_CALL = 100;
/** The maximum of its database column. */
export const CONTACT_VERSION_MAX = 2_147_483_647;
/** How long the server remembers that a contact was deleted. */
export const DELETED_CONTACTS_KEPT_MS = 180 * 24 * 60 * 60_000;

export const ALIAS_LENGTH_MAX = 60;

/** Invisible characters: control characters, marks that change the text direction, and unpaired surrogates. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu;

/** Makes a text a valid name: removes invisible characters and surrounding spaces. The result may be empty. */
export const aliasOfText = (text: string): string => text.replaceAll(HIDDEN, '').trim();

/** Whether a text can be saved unchanged. */
export const isAlias = (text: string): boolean =>
  text !== '' && text.length <= ALIAS_LENGTH_MAX && aliasOfText(text) === text;
