/**
 * Every citation in a comment or a document names something in this repository: a section or a row of the specification
 * (`docs/spec/`), a decision record, a file, a heading. A reader never has to look for a page that is not here.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

/** Files that exist only on a running system or that a command writes. */
const NOT_TRACKED = /^(data|dist|test-results|screens|node_modules)\/|\/dist\/|(^|\/)gen\//;
/** Fewer citations mean that the test looks in the wrong place. */
const CITATION_COUNT_MIN = 300;

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const trackedEnds = new Set(
  tracked.flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, index) => parts.slice(index).join('/'));
  }),
);

const specRows = globSync('docs/spec/rows*.tsv').flatMap((file) =>
  readFileSync(file, 'utf8').trim().split('\n').slice(1),
);
const rowIds = new Set(specRows.map((line) => line.split('\t')[0]));
const sections = new Set(specRows.map((line) => line.split('\t')[1]));
const decisions = new Set(
  globSync('docs/decisions/*.md').map((file) => posix.basename(file).slice(0, 4)),
);

const headings = new Map<string, readonly string[]>();
function headingsOf(file: string): readonly string[] {
  const known = headings.get(file);
  if (known !== undefined) return known;
  const found = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  headings.set(file, found);
  return found;
}

/** The prose of a file: its comments, or a document without code fences and without _`names`_ of things that do not exist yet. */
function proseOf(file: string, text: string): readonly string[] {
  if (file.endsWith('.md')) return [text.replace(/^```[\s\S]*?^```|_`[^`]+`_/gm, '')];
  if (file.endsWith('.sql')) return text.match(/--.*$/gm) ?? [];
  if (file.endsWith('.css')) return text.match(/\/\*[\s\S]*?\*\//g) ?? [];
  return parseSync(file, text).comments.map(({ value }) => value.replace(/\n\s*\* ?/g, '\n'));
}

interface Rule {
  readonly pattern: RegExp;
  /** The fault of a match; `undefined` if it resolves. */
  readonly fault: (match: RegExpExecArray, file: string) => string | undefined;
}

const FILE_NAME = /[\w@.-]+(?:\/[\w@.-]+)*\.(?:tsx?|mjs|sql|md|tsv|css)\b/;

const RULES: readonly Rule[] = [
  {
    pattern: /\bspec (\d+)((?:, \d+)*(?: and \d+)?)/gi,
    fault: ([, first = '', more = '']) => {
      const missing = [first, ...(more.match(/\d+/g) ?? [])].filter((n) => !sections.has(`S${n}`));
      return missing.length === 0 ? undefined : 'is no section of docs/spec/rows.tsv';
    },
  },
  {
    pattern: /\b(?:S\d|[DOPW])-\d{3}\b/g,
    fault: ([id]) => (rowIds.has(id) ? undefined : 'is no row of docs/spec/'),
  },
  {
    pattern: /\bdecision (\d{4})\b/gi,
    fault: ([, number = '']) => (decisions.has(number) ? undefined : 'is not in docs/decisions/'),
  },
  {
    pattern: /\bdecisions?,? ["“]/gi,
    fault: () =>
      'names a page that is not here: cite the row (D-035) or the record (decision 0007)',
  },
  {
    pattern: /\b(?:design of (?:the ledger|card payments)|(?:ledger|card) design)\b/gi,
    fault: () => 'names a page that is not here: cite docs/ledger.md or docs/cards.md',
  },
  {
    pattern: new RegExp(`(?<![\\w*{}<>/.])${FILE_NAME.source}(?![\\w*{}<>/])`, 'g'),
    fault: ([name], file) => {
      const isThere =
        trackedEnds.has(name) ||
        name.startsWith('@') ||
        NOT_TRACKED.test(name) ||
        existsSync(posix.join(dirname(file), name));
      return isThere ? undefined : 'is no file of this repository';
    },
  },
  {
    pattern: /\b(docs\/[\w/-]+\.md),? "([^"]+)"/g,
    fault: ([, page = '', heading = '']) =>
      existsSync(page) && headingsOf(page).includes(heading)
        ? undefined
        : 'is no heading of that page',
  },
  {
    pattern: /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g,
    fault: ([, target = ''], file) =>
      existsSync(posix.join(dirname(file), target)) ? undefined : 'leads nowhere',
  },
];

it('every citation resolves inside the repository', () => {
  const faults: string[] = [];
  let citationCount = 0;
  const files = tracked.filter(
    (file) => /\.(tsx?|mjs|sql|css|md)$/.test(file) && !file.startsWith('mobile/android/'),
  );
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const prose of proseOf(file, text)) {
      for (const { pattern, fault } of RULES) {
        for (const match of prose.matchAll(pattern)) {
          citationCount += 1;
          const found = fault(match as RegExpExecArray, file);
          if (found !== undefined) faults.push(`${file}: "${match[0]}" ${found}`);
        }
      }
    }
  }
  expect(faults).toEqual([]);
  expect(citationCount).toBeGreaterThan(CITATION_COUNT_MIN);
});
