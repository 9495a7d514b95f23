import { fileURLToPath } from 'node:url';

/**
 * The font of printed sheets: Figtree, as in the apps (packages/ui/src/fonts/LICENSE.txt), but as WOFF, because the PDF library cannot
 * extract single glyphs from a WOFF2 file, and in one file for all Latin letters, because the library draws a text in one font. The path
 * is right for the source and for a bundle, since both are one level below the package.
 */
export const SHEET_FONT = fileURLToPath(new URL('../fonts/figtree-500.woff', import.meta.url));
