/** Finishes a built app: checks the weight of its first pages and writes compressed copies of its text files. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What the browser loads to show a page first. */
interface FirstPage {
  readonly name: string;
  /** Of JavaScript, compressed with gzip. */
  readonly limitBytes: number;
  /** Names of the chunks that it loads besides those of `index.html`. */
  readonly chunks: readonly string[];
}

interface Chunk {
  readonly file: string;
  readonly name?: string;
  /** Keys of the manifest. */
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** As the server sends it. gzip's default, level 6, makes a page half a percent larger. */
const gzip = (content: Buffer): Buffer => gzipSync(content, { level: 9 });
const brotli = (content: Buffer): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** Every file that `index.html` and the named chunks load by static imports. */
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

/** Prints what each page weighs and writes the copies. Sets the exit code to 1 if a page exceeds its limit. */
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
