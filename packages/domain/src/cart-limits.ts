/** Limits of a cart (spec 5 and 9). */

/** Items of one offer. */
export const CART_COUNT_MIN = 1;
export const CART_COUNT_MAX = 99;
/** Different offers in one cart: far above what anybody fills, so that a purchase stays one short transaction. */
export const CART_LINES_MAX = 50;

/** A tip's words, in characters. */
export const TIP_FROM_LENGTH_MAX = 60;
export const TIP_NOTE_LENGTH_MAX = 280;
