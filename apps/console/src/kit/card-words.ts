import { m } from '@athos/messages/messages';
import type { RowOf } from '../api/admin.ts';
import type { AmountLine } from './amounts.tsx';

export type Card = NonNullable<RowOf<'consolePayments'>['card']>;

/** In the spelling of the card schemes. The provider names brands in lower case and may add some. */
const BRANDS: Readonly<Record<string, string | undefined>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** `Visa ending 4242`. */
export const cardText = ({ brand, lastFour }: Pick<Card, 'brand' | 'lastFour'>): string =>
  m.payments_card_ending({ brand: BRANDS[brand] ?? brand, lastFour });

/** The same as a part of a sentence, also for an unknown card. */
export const toCardText = (card: Card | null): string =>
  card === null ? m.payments_card_unknown() : cardText(card);

interface Shares {
  readonly priceUsdCents: string;
  readonly productFeeUsdCents: string;
  readonly processingFeeUsdCents: string;
}

/** The split of a sum of card money. */
export const shareLines = (shares: Shares): readonly AmountLine[] => [
  { label: m.payments_price(), units: shares.priceUsdCents, asset: 'USD' },
  { label: m.payments_product_fee(), units: shares.productFeeUsdCents, asset: 'USD' },
  { label: m.payments_processing_fee(), units: shares.processingFeeUsdCents, asset: 'USD' },
];
