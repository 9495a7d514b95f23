/** Settings of the installation, which the API writes into the page. They hold no secrets. */
export interface Settings {
  readonly stripePublishableKey: string | null;
  readonly stripeScriptUrl: string | null;
  /** Where page views are sent; `null`: nowhere. */
  readonly analyticsUrl: string | null;
  /** The site that they are counted for. */
  readonly analyticsDomain: string | null;
  /** In the packaged app: the API's origin, which does not serve its page. */
  readonly apiUrl?: string;
  /** In the packaged app: the origin whose links open it, and whose Apple Pay merchant it is. */
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

/** The API's origin; empty on the web, where the page is served by it. */
export const apiOrigin = (): string => settings().apiUrl ?? '';

export function parseSettings(text: string): Settings {
  try {
    return { ...NONE, ...(JSON.parse(text) as Partial<Settings>) };
  } catch {
    return NONE;
  }
}
