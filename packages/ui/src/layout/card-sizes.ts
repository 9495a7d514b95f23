/**
 * Displayed widths of pictures, as their `sizes`. The wallet's page requests its first pictures before React is loaded. On a phone the full
 * width less the margins counts as 86 %: at 1.75 device pixels that loads the picture of 640 px, a fifteenth too small, and not the one of
 * 1280 px with twice its bytes.
 */

/** Widths of a card with each span, in its list. */
export const CARD_SIZES = {
  column: '(min-width: 56.25rem) 18rem, (min-width: 40rem) 33vw, 50vw',
  columns: '(min-width: 56.25rem) 36rem, (min-width: 40rem) 66vw, 86vw',
  full: '(min-width: 56.25rem) 72rem, 86vw',
} as const;

/** Widths of a category in each display type. */
export const CATEGORY_SIZES = {
  grid: CARD_SIZES.column,
  featured: CARD_SIZES.full,
  row: '7rem',
  list: '4rem',
} as const;

/** Width of an offer on its own screen. */
export const OFFER_SIZES = '(min-width: 56.25rem) 36rem, 86vw';
