/**
 * Legal texts as people write them: paragraphs separated by an empty line, and headings that begin with `## `. No other Markdown is parsed,
 * so no text can add a link or a picture to the wallet.
 */

export interface LegalSection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

export interface LegalContent {
  /** The text before the first heading. */
  readonly intro: string;
  readonly sections: readonly LegalSection[];
}

/** Reasons why a text cannot be published. */
export type LegalFault = 'no_intro' | 'no_sections' | 'empty_section' | 'long_heading';

const HEADING = /^## +(.+)$/;
const HEADING_LENGTH_MAX = 120;

/** Lines of one paragraph are joined, as in Markdown. */
const blocksOf = (body: string): string[] =>
  body
    .split(/\r?\n[ \t]*\r?\n/)
    .flatMap((block) => {
      const [first = '', ...rest] = block.trim().split(/\r?\n/);
      return HEADING.test(first) ? [first, rest.join('\n')] : [block];
    })
    .map((block) => block.trim().replaceAll(/\s*\r?\n\s*/g, ' '))
    .filter((block) => block !== '');

/** Parses any text: the part before the first heading is its introduction. */
export function readLegalText(body: string): LegalContent {
  const intro: string[] = [];
  const sections: { heading: string; paragraphs: string[] }[] = [];
  for (const block of blocksOf(body)) {
    const [, heading] = HEADING.exec(block) ?? [];
    if (heading !== undefined) sections.push({ heading: heading.trim(), paragraphs: [] });
    else (sections.at(-1)?.paragraphs ?? intro).push(block);
  }
  return { intro: intro.join(' '), sections };
}

/** The first fault of a text; `undefined` if it can be published. */
export function legalFault(body: string): LegalFault | undefined {
  const { intro, sections } = readLegalText(body);
  if (intro === '') return 'no_intro';
  if (sections.length === 0) return 'no_sections';
  if (sections.some(({ paragraphs }) => paragraphs.length === 0)) return 'empty_section';
  return sections.some(({ heading }) => heading.length > HEADING_LENGTH_MAX)
    ? 'long_heading'
    : undefined;
}

/** Writes a text so that `readLegalText` reads the same. */
export const writeLegalText = ({ intro, sections }: LegalContent): string =>
  [intro, ...sections.flatMap(({ heading, paragraphs }) => [`## ${heading}`, ...paragraphs])].join(
    '\n\n',
  );
