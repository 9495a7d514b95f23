/** What a brand consists of. Everything that differs between brands is here, and nowhere else. */

export interface Brand {
  /** The specification's `{product}`, as in `athosFee` and `athos_fee`. Lower-case letters only. */
  readonly productSlug: string;
  readonly name: string;
  /** The rewards programme, as in `Welcome to {programmeName}`. */
  readonly programmeName: string;
  readonly tagline: string;
  readonly legalName: string;
  readonly postalAddress: string;
  readonly supportAddress: string;
  readonly mailSenderName: string;
  readonly provider: Provider;
  /** The first token is the one used to buy and to tip, and the only one that counts for tiers. */
  readonly tokens: readonly [TokenBrand, ...TokenBrand[]];
  readonly logo: Mark;
  readonly links: BrandLinks;
  readonly app: BrandApp;
  readonly colours: BrandColours;
}

/** The wallet as a packaged app. */
export interface BrandApp {
  /** The app's id in both stores, in reverse domain notation. It can never change after publication. */
  readonly id: string;
  /** The wallet's web address, without a trailing slash. The app calls it, and links to it open the app. */
  readonly walletUrl: string;
}

/** The payments provider named in the 'powered by' footer. */
export interface Provider {
  readonly name: string;
  readonly legalName: string;
  readonly siteUrl: string;
  readonly logo: Mark;
}

/** A one-colour mark as SVG path data, filled with the even-odd rule. */
export interface Mark {
  readonly title: string;
  /** Side of the square view box. */
  readonly viewBoxSide: number;
  readonly paths: readonly string[];
}

export interface TokenBrand {
  /** The ledger's asset code. */
  readonly code: string;
  /** The unit after an amount: `12.50 ATH`. */
  readonly symbol: string;
  /** The word used in a sentence: `Buy $Ath`. */
  readonly word: string;
  readonly name: string;
  readonly icon: Mark;
  readonly discColour: Colour;
  readonly glyphColour: Colour;
}

export interface BrandLinks {
  /** The product's website, without a trailing slash. */
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

/** `#rrggbb`, or `#rrggbbaa` for a translucent overlay. */
export type Colour = `#${string}`;

export interface BrandColours {
  readonly light: ThemeColours;
  readonly dark: ThemeColours;
  /** The balance card, the same in both themes. */
  readonly card: {
    readonly from: Colour;
    readonly to: Colour;
    readonly ink: Colour;
    readonly inkQuiet: Colour;
    /** Ink on a dark tier. */
    readonly paper: Colour;
  };
  /** The outcome of a scan, strong enough to recognise from across a bar and the same in both themes. */
  readonly verdict: { readonly good: Colour; readonly bad: Colour; readonly ink: Colour };
  /** Bronze, silver, gold, onyx, in this order. Used for a tier if the server sends no colour. */
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

/** Separate from `Brand`, so a page without legal texts does not load them. */
export interface BrandLegal {
  readonly terms: LegalText;
  readonly privacy: LegalText;
  /** What happens to personal data when an account is deleted. */
  readonly deletion: LegalText;
}

export interface LegalText {
  /** Recorded at registration as the version that the user accepted. */
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
