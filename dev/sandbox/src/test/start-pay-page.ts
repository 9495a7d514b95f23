import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestSandbox } from './start-test-sandbox.ts';

export interface PayPage {
  readonly url: string;
  addressFor(clientSecret: string, more?: string): string;
  close(): Promise<void>;
}

const style = `
  body { margin: 0; padding: 24px; font: 16px system-ui, sans-serif; background: #faf7f2; }
  #root { max-width: 390px; margin: auto; }
  #root.dark { background: #120d18; color: #f7f2ea; padding: 16px; border-radius: 16px; }
  button { width: 100%; min-height: 48px; margin: 16px 0; }
`;

/** Bundles the card form with the provider's packages, in development mode so that React runs effects twice. */
async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('../browser/test-page/pay-page.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { write: false, minify: false, rolldownOptions: { input: entry } },
  });
  const results = Array.isArray(built) ? built : [built];
  for (const result of results) {
    if (!('output' in result)) continue;
    const chunk = result.output.find((part) => part.type === 'chunk' && part.isEntry);
    if (chunk?.type === 'chunk') return chunk.code;
  }
  throw new Error('The pay page was not bundled.');
}

/** Serves the form under a policy as strict as the wallet's. */
export async function startPayPage(sandbox: TestSandbox): Promise<PayPage> {
  const code = await bundle();
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${sandbox.url}`,
    `frame-src ${sandbox.url}`,
    `connect-src ${sandbox.url}`,
    "style-src 'self'",
    "img-src 'self'",
  ].join('; ');
  const files: Record<string, readonly [string, string]> = {
    '/': [
      'text/html',
      '<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="/none.png"><link rel="stylesheet" href="/pay.css"><main><h1>Pay</h1><div id="root"></div></main><script type="module" src="/pay.js"></script></html>',
    ],
    '/pay.js': ['text/javascript', code],
    '/pay.css': ['text/css', style],
  };
  const server = createServer((request, response) => {
    const [type, body] = files[(request.url ?? '').split('?')[0] ?? ''] ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    addressFor: (clientSecret, more = '') => {
      const query = new URLSearchParams(more);
      query.set('client_secret', clientSecret);
      query.set('key', sandbox.settings.publishableKey);
      query.set('script', `${sandbox.url}/endive/stripe.js`);
      return `${url}/?${query.toString()}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
