/** The inline styles and scripts of the built pages, which the content security policy allows by their hashes. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Sources of a content security policy, in the quotes that it requires. */
export interface InlineHashes {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
}

const STYLES = /<style>([^]*?)<\/style>/g;
/** Scripts that are executed: without a `src`, and not the JSON of the settings. */
const SCRIPTS = /<script(?![^>]*\s(?:src|type)=)[^>]*>([^]*?)<\/script>/g;

const hashOf = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

const hashesOf = (page: string, parts: RegExp): string[] =>
  [...page.matchAll(parts)].map(([, content = '']) => hashOf(content));

/** Reads the pages in the folders of built apps. */
export async function readInlineHashes(
  folders: readonly (string | undefined)[],
): Promise<InlineHashes> {
  const pages = await Promise.all(
    folders
      .filter((folder) => folder !== undefined)
      .map((folder) => readFile(join(folder, 'index.html'), 'utf8')),
  );
  return {
    scripts: pages.flatMap((page) => hashesOf(page, SCRIPTS)),
    styles: pages.flatMap((page) => hashesOf(page, STYLES)),
  };
}
