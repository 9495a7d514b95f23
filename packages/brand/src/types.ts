/** What a brand consists of. Everything that would differ for another brand is here, and nowhere else. */

export interface Brand {
  /** `{product}` of the specification: in `athosFee` and `athos_fee`. Lower case, letters only. */
  readonly productSlug: string;
  readonly name: string;
  /** The rewards programme: `Welcome to {programmeName}`. */
  readonly programmeName: string;
  readonly tagline: string;
  readonly legalName: string;
  readonly postalAddress: string;
  readonly supportAddress: string;
  readonly mailSenderName: string;
  readonly provider: Provider;
  /** The first token buys, tips and counts for tiers. */
  readonly tokens: readonly [TokenBrand, ...TokenBrand[]];
  readonly logo: Mark;
  readonly links: BrandLinks;
  readonly app: BrandApp;
  readonly colours: BrandColours;
}

/** The packaged app of the wallet. */
export interface BrandApp {
  /** Of the app in both stores, in reversed domain notation; never changed once published. */
  readonly id: string;
  /** Where the wallet is reached on the web, without a slash at the end: what the app calls, and whose links open it. */
  readonly walletUrl: string;
}

/** The payments provider of the 'powered by' footer. */
export interface Provider {
  readonly name: string;
  readonly legalName: string;
  readonly siteUrl: string;
  readonly logo: Mark;
}

/** A one-colour mark as SVG path data, filled even-odd. */
export interface Mark {
  readonly title: string;
  /** The side of its square view box. */
  readonly viewBoxSide: number;
  readonly paths: readonly string[];
}

export interface TokenBrand {
  /** The ledger's asset code. */
  readonly code: string;
  /** As the unit of an amount: `12.50 ATH`. */
  readonly symbol: string;
  /** As a word in a sentence: `Buy $Ath`. */
  readonly word: string;
  readonly name: string;
  readonly icon: Mark;
  readonly discColour: Colour;
  readonly glyphColour: Colour;
}

export interface BrandLinks {
  /** The product's website, without a slash at the end. */
  readonly siteUrl: string;
  readonly termsUrl: string;
  readonly privacyUrl: string;
  readonly userDataDeletionUrl: string;
  readonly tracking: {
    readonly source: string;
    readonly medium: string;
    readonly tiersCampaign: string;
  };
}

/** `#rrggbb`, or `#rrggbbaa` for a veil. */
export type Colour = `#${string}`;

export interface BrandColours {
  readonly light: ThemeColours;
  readonly dark: ThemeColours;
  /** The balance card, alike in both themes. */
  readonly card: {
    readonly from: Colour;
    readonly to: Colour;
    readonly ink: Colour;
    readonly inkQuiet: Colour;
    /** Ink on a dark tier. */
    readonly paper: Colour;
  };
  /** The outcome of a scan, to be told apart across a bar: strong and alike in both themes. */
  readonly verdict: { readonly good: Colour; readonly bad: Colour; readonly ink: Colour };
  /** Order bronze, silver, gold, onyx: what a tier has when the server names no colour. */
  readonly tiers: readonly Colour[];
}

export const THEME_COLOUR_NAMES = [
  'ground',
  'surface',
  'surfaceRaised',
  'surfaceSunken',
  'line',
  'lineStrong',
  'ink',
  'inkQuiet',
  'primary',
  'primaryInk',
  'accent',
  'accentText',
  'success',
  'successSurface',
  'danger',
  'dangerSurface',
  'dangerSolid',
  'dangerSolidInk',
  'info',
  'infoSurface',
  'focus',
  'scrim',
] as const;
export type ThemeColourName = (typeof THEME_COLOUR_NAMES)[number];
export type ThemeColours = Readonly<Record<ThemeColourName, Colour>>;

/** Apart from `Brand`, so that a page that shows no legal text does not load it. */
export interface BrandLegal {
  readonly terms: LegalText;
  readonly privacy: LegalText;
  /** What becomes of personal data when an account is deleted. */
  readonly deletion: LegalText;
}

export interface LegalText {
  /** Kept with a registration: which text was accepted. */
  readonly version: string;
  /** ISO 8601 date. */
  readonly inForceSince: string;
  readonly title: string;
  readonly intro: string;
  readonly sections: readonly LegalSection[];
}

export interface LegalSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}
