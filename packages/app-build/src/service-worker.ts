/** Writes `sw.js`: the service worker with the list of this build's files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify, transformWithOxc, type Plugin } from 'vite';
import type { AppShell } from './shells.ts';

const SOURCE_FILE = join(import.meta.dirname, '../worker/service-worker.ts');
const KEPT_FILES = /^assets\/.+\.(?:js|css|woff2)$/;
const DECODER_FILE = /^assets\/.+\.wasm$/;

interface WorkerOptions {
  readonly shell: AppShell;
  /** Whether codes are scanned without a network. The decoder's WebAssembly is a megabyte. */
  readonly hasDecoder?: boolean;
}

export function serviceWorker({ shell: app, hasDecoder = false }: WorkerOptions): Plugin {
  const isKept = (name: string): boolean =>
    KEPT_FILES.test(name) || (hasDecoder && DECODER_FILE.test(name));
  const addressOf = (name: string): string => app.assets + name.slice('assets/'.length);
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const entry = Object.values(bundle).find((part) => part.type === 'chunk' && part.isEntry);
        const page = bundle['index.html'];
        if (entry === undefined || page?.type !== 'asset') throw new Error('The build has no page');
        const files = Object.keys(bundle).filter(isKept).toSorted().map(addressOf);
        const source = readFileSync(SOURCE_FILE, 'utf8');
        const version = createHash('sha256')
          .update(JSON.stringify([files, page.source.toString(), source, app]))
          .digest('hex')
          .slice(0, 12);
        const shell = JSON.stringify({ version, entry: addressOf(entry.fileName), files, ...app });
        const { code } = await transformWithOxc(source, SOURCE_FILE);
        const small = await minify('sw.js', `const SHELL=${shell};\n${code}`);
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: small.code });
      },
    },
  };
}
