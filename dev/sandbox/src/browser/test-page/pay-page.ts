import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Appearance } from '@stripe/stripe-js';
import { createElement, StrictMode, useState } from 'react';
import type { ReactElement, SubmitEvent } from 'react';
import { createRoot } from 'react-dom/client';

// A minimal version of the wallet's card form for the browser tests. It uses the provider's own packages in strict
// mode and takes its settings from the query string.
const query = new URLSearchParams(location.search);
const clientSecret = query.get('client_secret') ?? '';
const isDark = query.get('dark') === '1';
const appearance: Appearance = {
  theme: 'flat',
  labels: 'floating',
  variables: isDark
    ? {
        colorBackground: '#241c2e',
        colorText: '#f7f2ea',
        colorTextSecondary: '#c9bfd4',
        colorPrimary: '#ffb457',
        colorDanger: '#ff8f7d',
        borderRadius: '12px',
      }
    : { borderRadius: '12px', colorPrimary: '#b3471d' },
};

function PayForm(): ReactElement {
  const stripe = useStripe();
  const elements = useElements();
  const [outcome, setOutcome] = useState('');
  const pay = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (stripe === null || elements === null) return;
    setOutcome('working');
    const result = await stripe.confirmPayment({ elements, redirect: 'if_required' });
    if (result.error === undefined) setOutcome(`paid: ${result.paymentIntent.status}`);
    else setOutcome(`${result.error.code ?? result.error.type}: ${result.error.message ?? ''}`);
  };
  return createElement(
    'form',
    { onSubmit: (event: SubmitEvent<HTMLFormElement>) => void pay(event) },
    createElement(PaymentElement, {
      onReady: () => document.body.setAttribute('data-ready', 'yes'),
      onChange: (event) => document.body.setAttribute('data-complete', String(event.complete)),
    }),
    createElement('button', null, 'Pay'),
    createElement('output', null, outcome),
  );
}

function addScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error('The script did not load.')));
    document.head.append(script);
  });
}

async function start(): Promise<void> {
  await addScript(query.get('script') ?? '');
  const stripe = await loadStripe(query.get('key') ?? '');
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no root.');
  if (isDark) root.setAttribute('class', 'dark');
  createRoot(root).render(
    createElement(
      StrictMode,
      null,
      createElement(
        Elements,
        { stripe, options: { clientSecret, appearance } },
        createElement(PayForm),
      ),
    ),
  );
}

void start();
