import type { StripeError } from '../protocol.ts';
import { findBrand, hasValidLuhn, readDigits } from './card-number.ts';
import { describePostalCode } from './countries.ts';

export type FieldName = 'number' | 'expiry' | 'cvc' | 'postalCode';
export type FieldValues = Record<FieldName | 'country', string>;

interface FieldError {
  readonly code: string;
  readonly message: string;
}

/** The first error of each invalid field, in the provider's words. */
export function findFieldErrors(values: FieldValues, now: Date): Map<FieldName, FieldError> {
  const errors = new Map<FieldName, FieldError>();
  const number = findNumberError(readDigits(values.number));
  const expiry = findExpiryError(readDigits(values.expiry), now);
  const cvc = findCvcError(values);
  const postalCode = findPostalCodeError(values);
  if (number !== null) errors.set('number', number);
  if (expiry !== null) errors.set('expiry', expiry);
  if (cvc !== null) errors.set('cvc', cvc);
  if (postalCode !== null) errors.set('postalCode', postalCode);
  return errors;
}

function findNumberError(digits: string): FieldError | null {
  const isWhole = findBrand(digits).lengths.includes(digits.length);
  if (!isWhole) return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  if (hasValidLuhn(digits)) return null;
  return { code: 'invalid_number', message: 'Your card number is invalid.' };
}

function findExpiryError(digits: string, now: Date): FieldError | null {
  if (digits.length < 4) {
    return {
      code: 'incomplete_expiry',
      message: "Your card's expiration date is incomplete.",
    };
  }
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (month < 1 || month > 12) {
    return { code: 'invalid_expiry_month', message: "Your card's expiration month is invalid." };
  }
  if (year < now.getFullYear()) {
    const message = "Your card's expiration year is in the past.";
    return { code: 'invalid_expiry_year_past', message };
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    const message = "Your card's expiration date is in the past.";
    return { code: 'invalid_expiry_month_past', message };
  }
  if (year > now.getFullYear() + 50) {
    return { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." };
  }
  return null;
}

function findCvcError(values: FieldValues): FieldError | null {
  const { cvcLength } = findBrand(readDigits(values.number));
  if (readDigits(values.cvc).length === cvcLength) return null;
  return { code: 'incomplete_cvc', message: "Your card's security code is incomplete." };
}

function findPostalCodeError(values: FieldValues): FieldError | null {
  const postal = describePostalCode(values.country);
  const text = values.postalCode.trim();
  if (postal === null || postal.pattern.test(text)) return null;
  const what = postal.label === 'ZIP code' ? 'ZIP code' : 'postal code';
  const isEmpty = text === '';
  return {
    code: isEmpty ? 'incomplete_zip' : 'invalid_zip',
    message: `Your ${what} is ${isEmpty ? 'incomplete' : 'invalid'}.`,
  };
}

export function toValidationError(error: FieldError): StripeError {
  return { type: 'validation_error', code: error.code, message: error.message };
}
