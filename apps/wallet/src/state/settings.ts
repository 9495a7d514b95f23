/** Settings of the installation, which the API writes into the page. They contain no secrets. */
export interface Settings {
  readonly stripePublishableKey: string | null;
  readonly stripeScriptUrl: string | null;
  /** The address to which page views are sent; `null` disables them. */
  readonly analyticsUrl: string | null;
  /** The site name under which they are counted. */
  readonly analyticsDomain: string | null;
  /** Set in the packaged app: the API's origin, which does not serve the app's page. */
  readonly apiUrl?: string;
  /** Set in the packaged app: the origin whose links open the app and which is the Apple Pay merchant. */
  readonly walletUrl?: string;
  readonly appleMerchantId?: string | null;
}

const NONE: Settings = {
  stripePublishableKey: null,
  stripeScriptUrl: null,
  analyticsUrl: null,
  analyticsDomain: null,
};

let read: Settings | undefined;

/** Parsed once. A page without settings, as in tests, has no payments and no analytics. */
export function settings(): Settings {
  const text = document.querySelector('#settings')?.textContent;
  return (read ??= text == null ? undefined : parseSettings(text)) ?? NONE;
}

/** The API's origin; empty on the web, where the same origin serves the page. */
export const apiOrigin = (): string => settings().apiUrl ?? '';

export function parseSettings(text: string): Settings {
  try {
    return { ...NONE, ...(JSON.parse(text) as Partial<Settings>) };
  } catch {
    return NONE;
  }
}
