/**
 * Run by the build: fails when the JavaScript of a first page outgrows its budget (issue 2 section 5), and puts a gzip and a
 * Brotli copy beside every text file for the server to send.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, 'dist');
const manifestFile = join(folder, 'build-manifest.json');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}
const chunks = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;

/** Everything that `index.html` and `entries` load, dynamic imports of theirs left out. */
function filesOf(entries: readonly string[]): Set<string> {
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

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
/** As the server sends it. Level 6, gzip's own choice, makes a page half a percent larger. */
const gzip = (content: Buffer): Buffer => gzipSync(content, { level: 9 });
const gzipBytes = (file: string): number => gzip(readFileSync(join(folder, file))).length;

const PAGES = [
  { name: 'first signed-out page', limitBytes: 110_000, entries: [] },
  {
    name: 'home',
    limitBytes: 150_000,
    // What these load beside themselves is one file (build/chunks.ts).
    entries: ['src/routes/app-layout.tsx', 'src/features/home/home-screen.tsx'],
  },
] as const;

let isTooHeavy = false;
for (const { name, limitBytes, entries } of PAGES) {
  const files = [...filesOf(entries)].filter((file) => file.endsWith('.js'));
  const bytes = files.reduce((sum, file) => sum + gzipBytes(file), 0);
  const verdict = bytes <= limitBytes ? 'ok' : 'TOO HEAVY';
  console.log(
    `${name}: ${kilobytes(bytes)} of ${kilobytes(limitBytes)} JavaScript, gzip: ${verdict}`,
  );
  isTooHeavy ||= bytes > limitBytes;
}

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:js|css|svg|webmanifest|txt|wasm)$/.test(name)) continue;
  const content = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${name}.gz`), gzip(content));
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, brotliOptions));
}

if (isTooHeavy) process.exitCode = 1;
