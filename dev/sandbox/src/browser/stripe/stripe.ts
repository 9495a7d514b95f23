import { retrieveIntent } from './api.ts';
import { confirmPayment, confirmWithMethod, createMethod, handleNextAction } from './confirm.ts';
import type { ConfirmOptions } from './confirm.ts';
import { Elements } from './elements.ts';
import type { ElementsOptions } from './elements.ts';
import { IntegrationError } from './integration-error.ts';

/** The provider's object. It must have no `then`: the loader resolves a promise with it. */
function createStripe(key: string) {
  if (typeof key !== 'string' || !key.startsWith('pk_test_')) {
    throw new IntegrationError('The sandbox takes publishable test keys only (pk_test_...).');
  }
  const unsupported = (name: string) => (): never => {
    throw new IntegrationError(`The sandbox does not support stripe.${name}().`);
  };
  return {
    elements: (options: ElementsOptions = {}) => new Elements(options),
    createToken: unsupported('createToken'),
    createPaymentMethod: (options: { elements?: unknown }) => createMethod(key, options.elements),
    confirmCardPayment: (secret: string, data: { payment_method?: unknown } = {}) =>
      confirmWithMethod(key, secret, data.payment_method),
    confirmPayment: (options: ConfirmOptions) => confirmPayment(key, options),
    retrievePaymentIntent: (secret: string) => retrieveIntent(key, secret),
    handleNextAction: (options: { clientSecret: string }) =>
      handleNextAction(key, options.clientSecret),
    _registerWrapper: () => undefined,
    registerAppInfo: () => undefined,
  };
}

Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'endive' }) });
