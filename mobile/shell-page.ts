/** The wallet's page as both apps contain it, with the settings and the policy that on the web come from the API. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

export interface ShellSettings {
  /** Origin of the API; the page has another one. */
  readonly apiUrl: string;
  /** Origin whose links the app opens. */
  readonly walletUrl: string;
  /** `null`: no payments. */
  readonly stripePublishableKey: string | null;
  readonly stripeScriptUrl: string;
  readonly analyticsUrl: string | null;
  /** `null`: no Apple Pay. */
  readonly appleMerchantId: string | null;
}

/** A setting with which no app may be built. */
export class ShellSettingError extends Error {
  override readonly name = 'ShellSettingError';
}

const SETTINGS_SLOT = /(<script id="settings" type="application\/json">)[^<]*(<\/script>)/;

/** Compressed copies for servers, and the files with which browsers install the web app. */
const WEB_ONLY =
  /\.(?:gz|br|webmanifest)$|^(?:build-manifest\.json|robots\.txt|sw\.js|\.source-hash)$/;

export const isForApp = (path: string): boolean => !WEB_ONLY.test(basename(path));

/** Requires https, without which a token would not stay secret. Throws ShellSettingError. */
function originOf(name: string, text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') {
    throw new ShellSettingError(`${name} must be an https address, but is "${text}".`);
  }
  return url.origin;
}

/** The page's own origin, named because WebKit may not count an app's own scheme as `'self'`. */
const SELF = "'self' capacitor://localhost";

const STYLES = /<style>([^]*?)<\/style>/g;
const SCRIPTS = /<script(?![^>]*\s(?:src|type)=)[^>]*>([^]*?)<\/script>/g;

/** The page's inline styles or scripts, as `apps/api/src/platform/http/inline-hashes.ts` allows them. */
const hashesOf = (html: string, parts: RegExp): string =>
  [...html.matchAll(parts)]
    .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ');

/** The policy of `apps/api/src/platform/http/security-policy.ts`, for an API of another origin. */
function policyOf(html: string, apiOrigin: string, scriptUrl: string): string {
  const script = originOf('STRIPE_SCRIPT_URL', scriptUrl);
  const isStripe = script === 'https://js.stripe.com';
  const scripts = isStripe ? `${script} https://*.js.stripe.com` : script;
  const frames = isStripe ? `${scripts} https://hooks.stripe.com` : script;
  const calls = isStripe ? 'https://api.stripe.com' : script;
  return [
    `default-src ${SELF}`,
    `script-src ${SELF} ${scripts} 'wasm-unsafe-eval' ${hashesOf(html, SCRIPTS)}`,
    `style-src ${SELF} ${hashesOf(html, STYLES)}`,
    `img-src ${SELF} ${apiOrigin} data: blob:`,
    `font-src ${SELF}`,
    `connect-src ${SELF} ${apiOrigin} ${calls}`,
    `frame-src ${frames}`,
    `worker-src ${SELF}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ');
}

/** Writes settings and policy into the page. Throws ShellSettingError. */
export function shellPage(html: string, given: ShellSettings): string {
  const settings: ShellSettings = {
    ...given,
    apiUrl: originOf('ATHOS_API_URL', given.apiUrl),
    walletUrl: originOf('ATHOS_WALLET_URL', given.walletUrl),
  };
  if (!SETTINGS_SLOT.test(html)) throw new ShellSettingError('The page has no slot for settings.');
  const text = JSON.stringify(settings).replaceAll('<', '\\u003c');
  const policy = policyOf(html, settings.apiUrl, settings.stripeScriptUrl);
  return html
    .replace(SETTINGS_SLOT, (_match, open: string, close: string) => open + text + close)
    .replace(/\s*<link rel="manifest"[^>]*>/, '')
    .replace(
      /(<meta charset="utf-8"[^>]*>)/,
      `$1\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    );
}
