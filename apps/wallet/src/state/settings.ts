/** Settings of the running installation, which the API writes into the page. They hold no secrets. */
export interface Settings {
  readonly stripePublishableKey: string | null;
  readonly stripeScriptUrl: string | null;
  /** Where page views go; `null` sends none. */
  readonly analyticsUrl: string | null;
  /** Whose they are. */
  readonly analyticsDomain: string | null;
  /** In the packaged app: the API's origin, which its page is not served by. */
  readonly apiUrl?: string;
  /** There too: the origin whose links open the app, and whose Apple Pay it takes. */
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

/** Parsed once. Falls back to no payments and no analytics where the page carries no settings, as in tests. */
export function settings(): Settings {
  const text = document.querySelector('#settings')?.textContent;
  return (read ??= text == null ? undefined : parseSettings(text)) ?? NONE;
}

/** Of the server: on the web the page's own. */
export const apiOrigin = (): string => settings().apiUrl ?? '';

export function parseSettings(text: string): Settings {
  try {
    return { ...NONE, ...(JSON.parse(text) as Partial<Settings>) };
  } catch {
    return NONE;
  }
}
