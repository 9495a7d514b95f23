import type { Browser, Page } from '@playwright/test';

/** A page to take pictures of. */
export interface Shot {
  /** `screen/state`: heading and caption on the contact sheet, folder and file of the pictures. */
  readonly name: `${string}/${string}`;
  /** In CSS pixels; a phone and a desktop by default. */
  readonly widths?: readonly number[];
  /** The whole page, not only the part within the window. */
  readonly isWhole?: true;
  /** Opens the page in a separate context, which the caller closes. */
  readonly open: (browser: Browser) => Promise<Page>;
}
