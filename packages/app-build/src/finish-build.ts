/** Finishes a built app: checks the transfer size of its first pages, and of what they load later, and writes compressed copies of its text files. */
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

/** The files that a page loads once it is drawn. */
interface LaterPart {
  readonly name: string;
  readonly limitBytes: number;
  /** Names of its chunks. Chunks that they import dynamically count too. */
  readonly chunks: readonly string[];
  /** Names of the page's chunks, whose files are already loaded. */
  readonly after: readonly string[];
}

interface Chunk {
  readonly file: string;
  readonly name?: string;
  /** Manifest keys of the chunks that this one imports statically. */
  readonly imports?: readonly string[];
  /** Manifest keys of the chunks that it imports dynamically. */
  readonly dynamicImports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

/** Compresses as the server does. gzip's default, level 6, makes a page half a percent larger. */
const gzip = (content: Buffer): Buffer => gzipSync(content, { level: 9 });
const brotli = (content: Buffer): Buffer =>
  brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/** Adds to `files` every file that the named chunks load by static imports and, if requested, by dynamic ones. */
function addFiles(
  files: Set<string>,
  manifest: Manifest,
  { names, withLater = false }: { names: readonly string[]; withLater?: boolean },
): void {
  const visit = (chunk: Chunk | undefined, name: string): void => {
    if (chunk === undefined) throw new Error(`The build has no chunk ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    const keys = [...(chunk.imports ?? []), ...(withLater ? (chunk.dynamicImports ?? []) : [])];
    for (const key of keys) visit(manifest[key], key);
  };
  const chunks = Object.values(manifest);
  for (const name of names) {
    visit(manifest[name] ?? chunks.find((chunk) => chunk.name === name), name);
  }
}

/** The files that `index.html` and the named chunks load before the page shows, or the later part alone. */
function filesOf(manifest: Manifest, part: FirstPage | LaterPart): readonly string[] {
  const files = new Set<string>();
  const isLater = 'after' in part;
  addFiles(files, manifest, { names: ['index.html', ...(isLater ? part.after : part.chunks)] });
  if (!isLater) return [...files];
  const before = new Set(files);
  addFiles(files, manifest, { names: part.chunks, withLater: true });
  return [...files].filter((file) => !before.has(file));
}

function isWithinLimit(folder: string, manifest: Manifest, part: FirstPage | LaterPart): boolean {
  const { name, limitBytes } = part;
  const bytes = filesOf(manifest, part)
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
 * Prints the size of each part and writes the compressed copies. Sets the exit code to 1 if a part exceeds its limit.
 */
export function finishBuild(folder: string, parts: readonly (FirstPage | LaterPart)[]): void {
  const text = readFileSync(join(folder, 'build-manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const verdicts = parts.map((part) => isWithinLimit(folder, manifest, part));

  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:js|css|svg|webmanifest|txt|wasm)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzip(content));
    writeFileSync(join(folder, `${name}.br`), brotli(content));
  }
  if (verdicts.includes(false)) process.exitCode = 1;
}
