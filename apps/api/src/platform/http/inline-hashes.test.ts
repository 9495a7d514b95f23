import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readInlineHashes } from './inline-hashes.ts';

const folder = mkdtempSync(join(tmpdir(), 'inline-hashes-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('allows the inline parts of a page that run, and nothing else in it', async () => {
  writeFileSync(
    join(folder, 'index.html'),
    `<style>a{}</style><script data-app="/a.js">start()</script><script src="/b.js"></script>
     <script id="settings" type="application/json">{}</script><script type="module" src="/c.js"></script>`,
  );
  // The hashes of `a{}` and of `start()`, by `openssl dgst -sha256 -binary | base64`.
  expect(await readInlineHashes([undefined, folder])).toEqual({
    scripts: ["'sha256-DIm7WJS6ZKDYe5qFLPy+h4JFI9Bol5QmYC57mt3Fb00='"],
    styles: ["'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='"],
  });
});
