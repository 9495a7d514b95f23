import { createHmac } from 'node:crypto';
import { ApiError, invalidRequest, missingParameter } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import { readGiven, readInteger } from '../transport/params.ts';
import { findCardByNumber, readBrand } from './test-cards.ts';
import type { TestCard } from './test-cards.ts';

/** The card data that may be stored, which never includes the number. */
export interface KnownCard {
  readonly card: TestCard;
  readonly brand: string;
  readonly last4: string;
  readonly fingerprint: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly isCvcGiven: boolean;
}

/** Checks a card number with the Luhn algorithm. */
function hasValidChecksum(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function cardError(code: string, message: string, param: string, declineCode?: string): ApiError {
  const extra = declineCode === undefined ? {} : { decline_code: declineCode };
  return new ApiError(
    402,
    { type: 'card_error', code, message, param, ...extra },
    { isExecuted: true },
  );
}

/**
 * Reads `card[number]` and the other card parameters, and drops the number. Throws ApiError 402 for an invalid
 * number, expiry date or security code, and for a real card (decline_code test_mode_live_card).
 */
export function readCard(form: Form, salt: string, nowMs: number): KnownCard {
  const number = readGiven(form, 'number')?.replaceAll(/[\s-]/g, '');
  if (number === undefined) throw missingParameter('card[number]');
  if (!/^\d{12,19}$/.test(number)) {
    const message = 'The card number is not a valid credit card number.';
    throw cardError('invalid_number', message, 'number');
  }
  if (!hasValidChecksum(number)) {
    throw cardError('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  const expiry = readExpiry(form, nowMs);
  const cvc = readGiven(form, 'cvc');
  const brand = readBrand(number);
  if (cvc !== undefined && !(brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw cardError('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  const card = findCardByNumber(number);
  if (card === undefined) {
    const message =
      'Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://docs.stripe.com/testing.';
    throw cardError('card_declined', message, 'number', 'test_mode_live_card');
  }
  return { ...describeCard(card, salt), ...expiry, isCvcGiven: cvc !== undefined };
}

function readExpiry(form: Form, nowMs: number): { expMonth: number; expYear: number } {
  const expMonth = readInteger(form, 'exp_month');
  const given = readInteger(form, 'exp_year');
  if (expMonth === null) throw missingParameter('card[exp_month]');
  if (given === null) throw missingParameter('card[exp_year]');
  if (expMonth < 1 || expMonth > 12) {
    const message = "Your card's expiration month is invalid.";
    throw cardError('invalid_expiry_month', message, 'exp_month');
  }
  const expYear = given < 100 ? 2000 + given : given;
  const now = new Date(nowMs);
  const year = now.getUTCFullYear();
  const isPast = expYear < year || (expYear === year && expMonth < now.getUTCMonth() + 1);
  if (isPast || expYear > year + 50) {
    const isYear = expYear !== year;
    const what = isYear ? 'year' : 'month';
    const message = `Your card's expiration ${what} is invalid.`;
    throw cardError(`invalid_expiry_${what}`, message, `exp_${what}`);
  }
  return { expMonth, expYear };
}

/** The stored data of a predefined card such as `pm_card_visa`, except its expiry. Its security code counts as given. */
export function describeCard(
  card: TestCard,
  salt: string,
): Omit<KnownCard, 'expMonth' | 'expYear'> {
  const digest = createHmac('sha256', salt).update(card.number).digest('base64url');
  return {
    card,
    brand: readBrand(card.number),
    last4: card.number.slice(-4),
    fingerprint: digest.replaceAll(/[-_]/g, '').slice(0, 16),
    isCvcGiven: true,
  };
}

/** Throws ApiError 400 for anything but a card, the only payment method of the sandbox. */
export function requireCardType(form: Form): void {
  const type = readGiven(form, 'type');
  if (type === undefined) throw missingParameter('payment_method_data[type]');
  if (type !== 'card')
    throw invalidRequest(`The payment method type ${type} is not enabled.`, 'type');
}
