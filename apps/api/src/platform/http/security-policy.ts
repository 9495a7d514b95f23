/**
 * The content security policy of every page. Only the card form uses another origin: for its script, its frames and its
 * requests. In the demo, the sandbox takes the place of the card provider and gets the same permissions.
 */

import type { InlineHashes } from './inline-hashes.ts';

interface CardOrigins {
  readonly apiUrl: string;
  readonly scriptUrl: string;
}

const STRIPE_ORIGINS = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
};

function cardOrigins({ apiUrl, scriptUrl }: CardOrigins): typeof STRIPE_ORIGINS {
  const scriptOrigin = new URL(scriptUrl).origin;
  if (scriptOrigin === 'https://js.stripe.com') return STRIPE_ORIGINS;
  return { script: [scriptOrigin], frame: [scriptOrigin], connect: [new URL(apiUrl).origin] };
}

/**
 * `analyticsUrl` is the receiver of page views; `undefined` if they are not counted. The only inline styles and scripts allowed are those
 * of the built pages.
 */
export function contentSecurityPolicy(
  origins: CardOrigins,
  analyticsUrl: string | undefined,
  inline: InlineHashes = { scripts: [], styles: [] },
) {
  const card = cardOrigins(origins);
  const analytics = analyticsUrl === undefined ? [] : [new URL(analyticsUrl).origin];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // WebAssembly from our own origin reads QR codes. This does not allow eval.
      scriptSrc: ["'self'", ...card.script, "'wasm-unsafe-eval'", ...inline.scripts],
      styleSrc: ["'self'", ...inline.styles],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", ...card.connect, ...analytics],
      frameSrc: card.frame,
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  };
}

/** Device features that pages may use: the camera to scan codes, and the browser's payment sheet in the card form. */
export function permissionsPolicy({ scriptUrl }: CardOrigins): string {
  const cardOrigin = new URL(scriptUrl).origin;
  return `camera=(self), geolocation=(), microphone=(), payment=(self "${cardOrigin}"), usb=()`;
}

/** The console's pages load nothing but its own scripts and styles: no card provider, no WebAssembly, nothing inline. */
export const CONSOLE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; " +
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Staff sign in with passkeys. */
export const CONSOLE_PERMISSIONS =
  'camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-get=(self), usb=()';
