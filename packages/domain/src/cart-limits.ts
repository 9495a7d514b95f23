/** Limits of a cart (spec 5 and 9). */

/** Items of one offer. */
export const CART_COUNT_MIN = 1;
export const CART_COUNT_MAX = 99;
/** Different offers in one cart. Far above real carts; it keeps a purchase one short transaction. */
export const CART_LINES_MAX = 50;

/** Longest name and note of a tip, in characters. */
export const TIP_FROM_LENGTH_MAX = 60;
export const TIP_NOTE_LENGTH_MAX = 280;
