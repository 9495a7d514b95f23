/** The messages between page and card frame. Types only, so nothing here reaches the browser. */

export interface Appearance {
  theme?: string;
  variables?: Record<string, string>;
  labels?: string;
}

export interface IntentView {
  id: string;
  status: string;
  client_secret: string | null;
  last_payment_error: StripeError | null;
  next_action: NextAction | null;
}

export interface NextAction {
  type: string;
  use_stripe_sdk?: { stripe_js?: string; source?: string };
  redirect_to_url?: { url?: string };
}

export interface StripeError {
  type: string;
  code?: string;
  message?: string;
  payment_intent?: IntentView;
  [more: string]: unknown;
}

export type IntentResult =
  | { paymentIntent: IntentView; error?: undefined }
  | { error: StripeError; paymentIntent?: undefined };

/** Page to frame. An ask carries an id, which the frame repeats in its answer. */
export type FrameCommand =
  | { type: 'init' | 'update'; appearance: Appearance; defaultCountry: string; backdrop: string }
  | { type: 'focus' | 'blur' | 'clear' }
  | FrameAsk;

export type FrameAsk =
  | { type: 'validate'; askId: number }
  | { type: 'confirm'; askId: number; path: string; parameters: Record<string, string> }
  | { type: 'create'; askId: number; path: string; parameters: Record<string, string> };

/** The frame's answer to an ask. */
export interface FrameAnswer {
  error?: StripeError;
  value?: unknown;
}

/** Frame to page. */
export type FrameNews =
  | { type: 'loaded' | 'focus' | 'blur' | 'escape' | 'submit' }
  | { type: 'height'; heightPixels: number }
  | { type: 'change'; isEmpty: boolean; isComplete: boolean; country: string; postalCode: string }
  | { type: 'answer'; askId: number; answer: FrameAnswer };
