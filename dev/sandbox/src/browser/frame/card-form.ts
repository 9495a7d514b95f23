import type { StripeError } from '../protocol.ts';
import { findBrand, formatExpiry, formatNumber, readDigits } from './card-number.ts';
import { describePostalCode, listCountries } from './countries.ts';
import { findFieldErrors, toValidationError } from './field-errors.ts';
import type { FieldName, FieldValues } from './field-errors.ts';

export interface FormNews {
  onChange: () => void;
  onFocus: () => void;
  onBlur: () => void;
}

const inputNames: readonly FieldName[] = ['number', 'expiry', 'cvc', 'postalCode'];

function find<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`The frame has no ${id}.`);
  return element;
}

/** The card fields. They are formatted while typing; an error is shown only when a field loses focus. */
export class CardForm {
  readonly #inputs: Record<FieldName, HTMLInputElement>;
  readonly #country: HTMLSelectElement;
  readonly #news: FormNews;

  constructor(news: FormNews) {
    this.#news = news;
    this.#inputs = {
      number: find('number', HTMLInputElement),
      expiry: find('expiry', HTMLInputElement),
      cvc: find('cvc', HTMLInputElement),
      postalCode: find('postalCode', HTMLInputElement),
    };
    this.#country = find('country', HTMLSelectElement);
    for (const { code, name } of listCountries()) this.#country.add(new Option(name, code));
    this.#country.value = 'US';
    for (const name of inputNames) this.#listen(name);
    this.#country.addEventListener('change', () => this.#changeCountry());
    for (const element of [...Object.values(this.#inputs), this.#country]) {
      element.addEventListener('focus', () => this.#news.onFocus());
      element.addEventListener('blur', () => this.#news.onBlur());
    }
  }

  values(): FieldValues {
    return {
      number: this.#inputs.number.value,
      expiry: this.#inputs.expiry.value,
      cvc: this.#inputs.cvc.value,
      postalCode: this.#inputs.postalCode.value,
      country: this.#country.value,
    };
  }

  setCountry(code: string): void {
    this.#country.value = code;
    if (this.#country.value === '') this.#country.value = 'US';
    this.#changeCountry();
  }

  isEmpty(): boolean {
    return inputNames.every((name) => this.#inputs[name].value === '');
  }

  isComplete(): boolean {
    return findFieldErrors(this.values(), new Date()).size === 0;
  }

  /** Shows every error, focuses the first invalid field, and returns its error; null if all fields are valid. */
  validate(): StripeError | null {
    const errors = findFieldErrors(this.values(), new Date());
    for (const name of inputNames) this.#showError(name, errors.get(name)?.message ?? '');
    const [first] = errors;
    if (first === undefined) return null;
    this.#inputs[first[0]].focus();
    return toValidationError(first[1]);
  }

  focus(): void {
    this.#inputs.number.focus();
  }

  blur(): void {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }

  clear(): void {
    for (const name of inputNames) {
      this.#inputs[name].value = '';
      this.#showError(name, '');
    }
    this.#format('number');
    this.#news.onChange();
  }

  #listen(name: FieldName): void {
    const input = this.#inputs[name];
    input.addEventListener('input', () => {
      this.#format(name);
      const error = findFieldErrors(this.values(), new Date()).get(name);
      // Typing may clear an error but never show one.
      if (error === undefined) this.#showError(name, '');
      this.#news.onChange();
    });
    input.addEventListener('blur', () => {
      const error = findFieldErrors(this.values(), new Date()).get(name);
      this.#showError(name, input.value === '' ? '' : (error?.message ?? ''));
    });
  }

  #format(name: FieldName): void {
    const input = this.#inputs[name];
    const brand = findBrand(readDigits(this.#inputs.number.value));
    if (name === 'number') {
      this.#write(input, formatNumber(readDigits(input.value)));
      const mark = document.querySelector('.Brand');
      if (mark !== null) mark.textContent = brand.name;
    }
    if (name === 'expiry') this.#write(input, formatExpiry(input.value));
    if (name === 'cvc') this.#write(input, readDigits(input.value).slice(0, brand.cvcLength));
  }

  /** Writes a formatted value and keeps the caret after the same digit. */
  #write(input: HTMLInputElement, value: string): void {
    if (input.value === value) return;
    const caret = input.selectionStart ?? input.value.length;
    const isAtEnd = caret === input.value.length;
    const digitCount = readDigits(input.value.slice(0, caret)).length;
    input.value = value;
    if (isAtEnd) return;
    let position = 0;
    for (let seen = 0; position < value.length && seen < digitCount; position += 1) {
      if (/\d/.test(value[position] ?? '')) seen += 1;
    }
    input.setSelectionRange(position, position);
  }

  #showError(name: FieldName, message: string): void {
    const line = document.getElementById(`${name}-error`);
    if (line !== null && line.textContent !== message) line.textContent = message;
    if (message === '') this.#inputs[name].removeAttribute('aria-invalid');
    else this.#inputs[name].setAttribute('aria-invalid', 'true');
  }

  #changeCountry(): void {
    const postal = describePostalCode(this.#country.value);
    const input = this.#inputs.postalCode;
    const field = input.closest<HTMLElement>('.Field');
    const label = document.querySelector('label[for="postalCode"]');
    if (field !== null) field.hidden = postal === null;
    this.#country.closest('.Field')?.classList.toggle('Field--only', postal === null);
    if (postal !== null && label !== null) {
      label.textContent = postal.label;
      input.placeholder = postal.example;
      input.inputMode = postal.isNumeric ? 'numeric' : 'text';
    }
    this.#showError('postalCode', '');
    this.#news.onChange();
  }
}
