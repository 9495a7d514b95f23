import type { IntentResult, IntentView, NextAction, StripeError } from '../protocol.ts';
import { callApi, readIntentId, retrieveIntent } from './api.ts';

const pollPauseMs = 400;

const authenticationFailure: StripeError = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/** The result for the caller of an intent that has left requires_action. */
export function concludeIntent(intent: IntentView): IntentResult {
  if (intent.status !== 'requires_payment_method') return { paymentIntent: intent };
  return {
    error: { ...(intent.last_payment_error ?? authenticationFailure), payment_intent: intent },
  };
}

interface ChallengeDialog {
  readonly isClosed: () => boolean;
  readonly close: () => void;
}

function assignStyle(element: HTMLElement, style: Record<string, string>): void {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value);
}

const dialogStyle = {
  padding: '0',
  border: '0',
  margin: 'auto',
  'border-radius': '16px',
  background: '#ffffff',
  width: 'min(440px, calc(100vw - 32px))',
  height: 'min(520px, calc(100dvh - 32px))',
  'max-width': 'none',
  'max-height': 'none',
  overflow: 'hidden',
  'box-shadow': '0 24px 64px rgb(0 0 0 / 0.45), 0 0 0 100vmax rgb(0 0 0 / 0.55)',
  'color-scheme': 'light',
};
const closeStyle = {
  position: 'absolute',
  top: '8px',
  right: '8px',
  width: '44px',
  height: '44px',
  border: '0',
  'border-radius': '22px',
  background: 'transparent',
  color: '#3c4257',
  font: '24px/1 system-ui, sans-serif',
  cursor: 'pointer',
};

/** Opens a native modal dialog: it lies above every layer of the page and makes the page behind it inert. */
function openDialog(url: string): ChallengeDialog {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', '3D Secure authentication');
  assignStyle(dialog, dialogStyle);
  const frame = document.createElement('iframe');
  frame.title = '3D Secure authentication frame';
  frame.src = url;
  assignStyle(frame, { border: '0', width: '100%', height: '100%', 'color-scheme': 'light' });
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = '\u00d7';
  close.setAttribute('aria-label', 'Close authentication');
  assignStyle(close, closeStyle);
  let isClosed = false;
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    isClosed = true;
  });
  // The page's own modals close on clicks and keys outside them; hide this dialog's events from them.
  for (const type of ['pointerdown', 'mousedown', 'click', 'keydown', 'focusin']) {
    dialog.addEventListener(type, (event) => event.stopPropagation());
  }
  dialog.append(frame, close);
  document.body.append(dialog);
  dialog.showModal();
  return { isClosed: () => isClosed, close: () => dialog.remove() };
}

function readChallengeUrl(action: NextAction | null): string | undefined {
  return action?.use_stripe_sdk?.stripe_js ?? action?.redirect_to_url?.url;
}

/**
 * Shows the bank's page until the intent leaves requires_action. Closing it counts as a failed authentication, which is
 * reported to the sandbox.
 */
export async function runChallenge(key: string, intent: IntentView): Promise<IntentResult> {
  const url = readChallengeUrl(intent.next_action);
  const secret = intent.client_secret ?? '';
  if (intent.status !== 'requires_action' || url === undefined) return concludeIntent(intent);
  const dialog = openDialog(url);
  try {
    while (!dialog.isClosed()) {
      const result = await retrieveIntent(key, secret);
      const isOver = result.paymentIntent && result.paymentIntent.status !== 'requires_action';
      if (isOver) return concludeIntent(result.paymentIntent);
      await new Promise((resolve) => setTimeout(resolve, pollPauseMs));
    }
    const path = `/v1/payment_intents/${readIntentId(secret)}/source_cancel`;
    const source = url.split('/').pop() ?? '';
    const result = await callApi('POST', path, { key, client_secret: secret, source });
    return result.error === undefined ? concludeIntent(result.paymentIntent) : result;
  } finally {
    dialog.close();
  }
}
