import { fileURLToPath } from 'node:url';

/**
 * The face of printed sheets: Figtree, as in the apps (packages/ui/src/fonts/LICENSE.txt), but as WOFF, because the PDF library cannot
 * take single glyphs out of a WOFF2 file, and in one file for all Latin letters, because it draws a text in one face. Found from the
 * source and from a bundle alike, since both are one level below the package.
 */
export const SHEET_FONT = fileURLToPath(new URL('../fonts/figtree-500.woff', import.meta.url));
