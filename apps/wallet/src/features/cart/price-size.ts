import { MICRO_PER_TOKEN, type MicroAth } from '@athos/domain/money';

/** Spec 9: above this many ATH the price is set smaller. Largest first. */
const STEPS = [
  { aboveAth: 9_999_999n, className: 'text-price-13' },
  { aboveAth: 999_999n, className: 'text-price-15' },
  { aboveAth: 99_999n, className: 'text-price-16' },
] as const;

/** The font size of a price in the cart: 17 px, and less for long ones. */
export const priceSizeClass = (amount: MicroAth): string =>
  STEPS.find(({ aboveAth }) => amount > aboveAth * MICRO_PER_TOKEN)?.className ?? 'text-price-17';
