/** The immediate result of charging a card. Codes are the provider's. */
type Outcome =
  | { readonly kind: 'succeeds'; readonly afterwards?: Aftermath }
  | { readonly kind: 'declines'; readonly code: DeclineCode; readonly declineCode?: string }
  | { readonly kind: 'processes'; readonly ending: 'succeeds' | 'declines' };

/** Later events after a successful charge. */
export type Aftermath =
  | 'dispute_fraudulent'
  | 'dispute_not_received'
  | 'early_fraud_warning'
  | 'funds_at_once'
  | 'inquiry'
  | 'refund_fails'
  | 'refund_pends';

export type DeclineCode = 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';

export interface TestCard {
  /** The predefined PaymentMethod is `pm_card_` plus this name; it can be used instead of the number. */
  readonly name: string;
  readonly number: string;
  /** Whether 3-D Secure is always required, or only if the intent requests it. */
  readonly challenge?: 'always' | 'if_asked';
  readonly outcome: Outcome;
}

const succeeds: Outcome = { kind: 'succeeds' };
const declines = (declineCode: string): Outcome => ({
  kind: 'declines',
  code: 'card_declined',
  declineCode,
});
const failsWith = (code: DeclineCode): Outcome => ({ kind: 'declines', code });
const later = (afterwards: Aftermath): Outcome => ({ kind: 'succeeds', afterwards });

/** The provider's test cards, and two of our own that stay in `processing` first. */
export const testCards: readonly TestCard[] = [
  { name: 'visa', number: '4242424242424242', outcome: succeeds },
  { name: 'mastercard', number: '5555555555554444', outcome: succeeds },
  { name: 'amex', number: '378282246310005', outcome: succeeds },
  { name: 'discover', number: '6011111111111117', outcome: succeeds },
  {
    name: 'visa_chargeDeclined',
    number: '4000000000000002',
    outcome: declines('generic_decline'),
  },
  {
    name: 'visa_chargeDeclinedInsufficientFunds',
    number: '4000000000009995',
    outcome: declines('insufficient_funds'),
  },
  {
    name: 'visa_chargeDeclinedLostCard',
    number: '4000000000009987',
    outcome: declines('lost_card'),
  },
  {
    name: 'visa_chargeDeclinedStolenCard',
    number: '4000000000009979',
    outcome: declines('stolen_card'),
  },
  {
    name: 'chargeDeclinedExpiredCard',
    number: '4000000000000069',
    outcome: failsWith('expired_card'),
  },
  {
    name: 'chargeDeclinedIncorrectCvc',
    number: '4000000000000127',
    outcome: failsWith('incorrect_cvc'),
  },
  {
    name: 'chargeDeclinedProcessingError',
    number: '4000000000000119',
    outcome: failsWith('processing_error'),
  },
  {
    name: 'threeDSecure2Required',
    number: '4000000000003220',
    challenge: 'always',
    outcome: succeeds,
  },
  {
    name: 'authenticationRequired',
    number: '4000002760003184',
    challenge: 'always',
    outcome: succeeds,
  },
  // Stripe skips the challenge once this card is set up for later use. The sandbox has no setup intents, so it always
  // asks.
  {
    name: 'authenticationRequiredOnSetup',
    number: '4000002500003155',
    challenge: 'always',
    outcome: succeeds,
  },
  {
    name: 'threeDSecureRequiredChargeDeclined',
    number: '4000008400001629',
    challenge: 'always',
    outcome: declines('generic_decline'),
  },
  {
    name: 'threeDSecureRequiredProcessingError',
    number: '4000008400001280',
    challenge: 'always',
    outcome: failsWith('processing_error'),
  },
  {
    name: 'authenticationRequiredChargeDeclinedInsufficientFunds',
    number: '4000008260003178',
    challenge: 'always',
    outcome: declines('insufficient_funds'),
  },
  {
    name: 'threeDSecureOptional',
    number: '4000000000003055',
    challenge: 'if_asked',
    outcome: succeeds,
  },
  { name: 'createDispute', number: '4000000000000259', outcome: later('dispute_fraudulent') },
  {
    name: 'createDisputeProductNotReceived',
    number: '4000000000002685',
    outcome: later('dispute_not_received'),
  },
  { name: 'createDisputeInquiry', number: '4000000000001976', outcome: later('inquiry') },
  {
    name: 'createIssuerFraudRecord',
    number: '4000000000005423',
    outcome: later('early_fraud_warning'),
  },
  { name: 'refundFail', number: '4000000000005126', outcome: later('refund_fails') },
  { name: 'pendingRefund', number: '4000000000007726', outcome: later('refund_pends') },
  { name: 'bypassPending', number: '4000000000000077', outcome: later('funds_at_once') },
  { name: 'radarBlock', number: '4100000000000019', outcome: declines('fraudulent') },
  {
    name: 'athosProcessingSucceeds',
    number: '4000000000092009',
    outcome: { kind: 'processes', ending: 'succeeds' },
  },
  {
    name: 'athosProcessingFails',
    number: '4000000000093007',
    outcome: { kind: 'processes', ending: 'declines' },
  },
];

const cardsByName = new Map(testCards.map((card) => [card.name, card]));
const cardsByNumber = new Map(testCards.map((card) => [card.number, card]));

// Alternative names for the same cards, common in articles about the provider's test data.
const aliases: Record<string, string> = {
  chargeDeclined: 'visa_chargeDeclined',
  chargeDeclinedInsufficientFunds: 'visa_chargeDeclinedInsufficientFunds',
  threeDSecureRequired: 'threeDSecure2Required',
};

export function findCardByName(name: string): TestCard | undefined {
  return cardsByName.get(Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name);
}

export function findCardByNumber(number: string): TestCard | undefined {
  return cardsByNumber.get(number);
}

export function readBrand(number: string): 'amex' | 'discover' | 'mastercard' | 'visa' | 'unknown' {
  if (/^3[47]/.test(number)) return 'amex';
  if (/^(6011|65|64[4-9])/.test(number)) return 'discover';
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard';
  return number.startsWith('4') ? 'visa' : 'unknown';
}
