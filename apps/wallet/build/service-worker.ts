/** Writes `sw.js`: the service worker with the list of this build's files. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minify, transformWithOxc, type Plugin } from 'vite';

const SOURCE_FILE = join(import.meta.dirname, '../worker/service-worker.ts');
/** The QR decoder is left out: it serves only sending, which needs the network, and its WebAssembly is a megabyte. */
const KEPT_FILES = /^assets\/.+\.(?:js|css|woff2)$/;

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const entry = Object.values(bundle).find((part) => part.type === 'chunk' && part.isEntry);
        const page = bundle['index.html'];
        if (entry === undefined || page?.type !== 'asset') throw new Error('The build has no page');
        const files = Object.keys(bundle)
          .filter((name) => KEPT_FILES.test(name))
          .toSorted()
          .map((name) => `/${name}`);
        const source = readFileSync(SOURCE_FILE, 'utf8');
        const version = createHash('sha256')
          .update(JSON.stringify([files, page.source.toString(), source]))
          .digest('hex')
          .slice(0, 12);
        const shell = JSON.stringify({ version, entry: `/${entry.fileName}`, files });
        const { code } = await transformWithOxc(source, SOURCE_FILE);
        const small = await minify('sw.js', `const SHELL=${shell};\n${code}`);
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: small.code });
      },
    },
  };
}
