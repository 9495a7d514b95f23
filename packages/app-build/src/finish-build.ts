/** Finishes a built app: checks the transfer size of its first pages and writes compressed copies of its text files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** The files that the browser loads before it can show a page. */
interface FirstPage {
  readonly name: string;
  /** Limit for the JavaScript, compressed with gzip. */
  readonly limitBytes: number;
  /** Names of the chunks that the page loads in addition to those of `index.html`. */
  readonly chunks: readonly string[];
}

interface Chunk {
  readonly file: string;
  readonly name?: string;
  /** Manifest keys of the chunks that this one imports statically. */
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** Compresses as the server does. gzip's default, level 6, makes a page half a percent larger. */
const gzip = (content: Buffer): Buffer => gzipSync(content, { level: 9 });
const brotli = (content: Buffer): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** Returns every file that `index.html` and the named chunks load by static imports. */
function filesOf(manifest: Manifest, names: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (chunk: Chunk | undefined, name: string): void => {
    if (chunk === undefined) throw new Error(`The build has no chunk ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const key of chunk.imports ?? []) visit(manifest[key], key);
  };
  visit(manifest['index.html'], 'index.html');
  const chunks = Object.values(manifest);
  for (const name of names) {
    visit(
      chunks.find((chunk) => chunk.name === name),
      name,
    );
  }
  return files;
}

function isWithinLimit(folder: string, manifest: Manifest, page: FirstPage): boolean {
  const { name, limitBytes, chunks } = page;
  const bytes = [...filesOf(manifest, chunks)]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzip(readFileSync(join(folder, file))).length, 0);
  const isWithin = bytes <= limitBytes;
  const verdict = isWithin ? 'ok' : 'TOO HEAVY';
  console.log(
    `${name}: ${kilobytes(bytes)} of ${kilobytes(limitBytes)} JavaScript, gzip: ${verdict}`,
  );
  return isWithin;
}

/**
 * Prints the size of each page and writes the compressed copies. Sets the exit code to 1 if a page exceeds its limit.
 */
export function finishBuild(folder: string, pages: readonly FirstPage[]): void {
  const text = readFileSync(join(folder, 'build-manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const verdicts = pages.map((page) => isWithinLimit(folder, manifest, page));

  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|css|svg|webmanifest|txt|wasm)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzip(content));
    writeFileSync(join(folder, `${name}.br`), brotli(content));
  }
  if (verdicts.includes(false)) process.exitCode = 1;
}
