/** What is done with a built app: its first pages are weighed, and every text file gets compressed copies for the server to send. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A page of the app as it is first loaded. */
interface FirstPage {
  readonly name: string;
  /** JavaScript, gzip. */
  readonly limitBytes: number;
  /** What it loads beside `index.html`, by source file. */
  readonly entries: readonly string[];
}

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}
type Chunks = Readonly<Record<string, Chunk>>;

/** As the server sends it. Level 6, gzip's own choice, makes a page half a percent larger. */
const gzip = (content: Buffer): Buffer => gzipSync(content, { level: 9 });
const brotli = (content: Buffer): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** Everything that `index.html` and `entries` load, dynamic imports of theirs left out. */
function filesOf(chunks: Chunks, entries: readonly string[]): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`${name} is not part of the build`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of ['index.html', ...entries]) visit(entry);
  return files;
}

function isWithinLimit(folder: string, chunks: Chunks, page: FirstPage): boolean {
  const { name, limitBytes, entries } = page;
  const bytes = [...filesOf(chunks, entries)]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzip(readFileSync(join(folder, file))).length, 0);
  const isWithin = bytes <= limitBytes;
  const verdict = isWithin ? 'ok' : 'TOO HEAVY';
  console.log(
    `${name}: ${kilobytes(bytes)} of ${kilobytes(limitBytes)} JavaScript, gzip: ${verdict}`,
  );
  return isWithin;
}

/** Says what each page weighs and writes the copies. Sets the exit code to 1 where a page outgrows its limit. */
export function finishBuild(folder: string, pages: readonly FirstPage[]): void {
  const manifest = readFileSync(join(folder, 'build-manifest.json'), 'utf8');
  const chunks = JSON.parse(manifest) as Chunks;
  const verdicts = pages.map((page) => isWithinLimit(folder, chunks, page));

  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|css|svg|webmanifest|txt|wasm)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzip(content));
    writeFileSync(join(folder, `${name}.br`), brotli(content));
  }
  if (verdicts.includes(false)) process.exitCode = 1;
}
