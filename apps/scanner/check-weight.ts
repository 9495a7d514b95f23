/**
 * Run by the build: fails when the JavaScript of the first page outgrows its budget (the code reader alone weighs four
 * times that), and puts a gzip and a Brotli copy beside every text file for the server to send.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A phone on a bar's network: the first page is there in about a second at 1 Mbit/s. */
const FIRST_PAGE_LIMIT_BYTES = 120_000;

const folder = join(import.meta.dirname, 'dist');

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
}
const manifest = readFileSync(join(folder, 'build-manifest.json'), 'utf8');
const chunks = JSON.parse(manifest) as Record<string, Chunk>;

/** Everything that the page loads at once; dynamic imports come later. */
function filesOf(entry: string): Set<string> {
  const files = new Set<string>();
  const visit = (name: string): void => {
    const chunk = chunks[name];
    if (chunk === undefined) throw new Error(`${name} is not part of the build`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(entry);
  return files;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const gzipBytes = (file: string): number => gzipSync(readFileSync(join(folder, file))).length;

const firstFiles = [...filesOf('index.html')].filter((file) => file.endsWith('.js'));
const bytes = firstFiles.reduce((sum, file) => sum + gzipBytes(file), 0);
const isTooHeavy = bytes > FIRST_PAGE_LIMIT_BYTES;
console.log(
  `scanner's first page: ${kilobytes(bytes)} of ${kilobytes(FIRST_PAGE_LIMIT_BYTES)} JavaScript, gzip: ${isTooHeavy ? 'TOO HEAVY' : 'ok'}`,
);

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(?:js|css|svg|webmanifest|txt|wasm)$/.test(name)) continue;
  const content = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content, brotliOptions));
}

if (isTooHeavy) process.exitCode = 1;
