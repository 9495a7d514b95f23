/**
 * The content security policy of every answer. Nothing comes from elsewhere but the card form: its script, its frames and
 * its calls. In the demo the sandbox stands in the provider's place and is allowed in exactly the same way.
 */

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

/** `analyticsUrl`: where page views go, if anywhere. */
export function contentSecurityPolicy(origins: CardOrigins, analyticsUrl: string | undefined) {
  const card = cardOrigins(origins);
  const analytics = analyticsUrl === undefined ? [] : [new URL(analyticsUrl).origin];
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      // WebAssembly of our own origin, which reads QR codes; it allows no eval of scripts.
      scriptSrc: ["'self'", ...card.script, "'wasm-unsafe-eval'"],
      styleSrc: ["'self'"],
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

/** What of the device the pages may use: the camera scans codes, and the card form may offer the browser's own payment. */
export function permissionsPolicy({ scriptUrl }: CardOrigins): string {
  const cardOrigin = new URL(scriptUrl).origin;
  return `camera=(self), geolocation=(), microphone=(), payment=(self "${cardOrigin}"), usb=()`;
}
