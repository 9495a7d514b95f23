import { Elements, PaymentElement, useElements } from '@stripe/react-stripe-js';
import type { StripeElements, StripePaymentElementOptions } from '@stripe/stripe-js';
import { useEffect, useRef } from 'react';
import type { FormEvent } from 'react';
import { holdActivity, whileVisible } from '../../state/idle.ts';
import { cardAppearance, useShownTheme } from './card-appearance.ts';
import type { PreparedForm } from './charge.ts';

/** Spec 1: Apple Pay and Google Pay belong to the native app; this form takes cards only. */
const ELEMENT_OPTIONS: StripePaymentElementOptions = {
  wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
};

interface CardFormProps {
  id: string;
  form: PreparedForm;
  onSubmit: (elements: StripeElements) => void;
  onReady: () => void;
  onLoadError: () => void;
  onTyped: (hasTyped: boolean) => void;
}

/** The provider's card fields, in an iframe of its origin. A new client secret creates a new form. */
export function CardForm(props: CardFormProps) {
  const { stripe, clientSecret } = props.form;
  const theme = useShownTheme();
  return (
    <Elements
      key={clientSecret}
      stripe={stripe}
      options={{ clientSecret, appearance: cardAppearance(theme) }}
    >
      <Fields {...props} />
    </Elements>
  );
}

function Fields({ id, onSubmit, onReady, onLoadError, onTyped }: CardFormProps) {
  const elements = useElements();
  const form = useRef<HTMLFormElement>(null);

  // D-181: focus in the card form counts as activity. The page sees no other event from the provider's frame.
  useEffect(() => {
    const hasFocus = (): boolean => form.current?.contains(document.activeElement) ?? false;
    return holdActivity(() => whileVisible() && hasFocus());
  }, []);

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (elements !== null) onSubmit(elements);
  };

  return (
    <form ref={form} id={id} onSubmit={handleSubmit} noValidate>
      <PaymentElement
        options={ELEMENT_OPTIONS}
        onReady={onReady}
        onLoadError={onLoadError}
        onChange={({ empty }) => onTyped(!empty)}
      />
    </form>
  );
}
