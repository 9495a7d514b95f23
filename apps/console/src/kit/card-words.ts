import { m } from '@athos/messages/messages';
import type { RowOf } from '../api/admin.ts';
import type { AmountLine } from './amounts.tsx';

export type Card = NonNullable<RowOf<'consolePayments'>['card']>;

/** As the schemes write themselves. The provider adds brands, and names them in small letters. */
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

/** The same in a sentence, also where the card is not known. */
export const toCardText = (card: Card | null): string =>
  card === null ? m.payments_card_unknown() : cardText(card);

interface Shares {
  readonly priceUsdCents: string;
  readonly productFeeUsdCents: string;
  readonly processingFeeUsdCents: string;
}

/** How a sum of card money is divided. */
export const shareLines = (shares: Shares): readonly AmountLine[] => [
  { label: m.payments_price(), units: shares.priceUsdCents, asset: 'USD' },
  { label: m.payments_product_fee(), units: shares.productFeeUsdCents, asset: 'USD' },
  { label: m.payments_processing_fee(), units: shares.processingFeeUsdCents, asset: 'USD' },
];
