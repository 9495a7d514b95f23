import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { pagePolicy } from './reply.ts';
import type { Reply } from './reply.ts';

const browserDir = new URL('../browser/', import.meta.url);

// The order matters: while loading, a part may use only parts above it.
const stripeParts = [
  'stripe/emitter.ts',
  'stripe/integration-error.ts',
  'stripe/api.ts',
  'stripe/card-frame.ts',
  'stripe/payment-element.ts',
  'stripe/elements.ts',
  'stripe/challenge.ts',
  'stripe/confirm.ts',
  'stripe/stripe.ts',
];
const frameParts = [
  'frame/countries.ts',
  'frame/card-number.ts',
  'frame/field-errors.ts',
  'frame/appearance.ts',
  'frame/card-form.ts',
  'frame/card-request.ts',
  'frame/frame.ts',
];

/**
 * Joins browser modules into one classic script, without types and without imports between the parts. Like the real
 * script, it takes one request and defines its global when it has loaded.
 */
function joinScript(parts: readonly string[]): string {
  const bodies = parts.map((part) => {
    const source = stripTypeScriptTypes(readFileSync(new URL(part, browserDir), 'utf8'));
    return source.replaceAll(/^import\s[^;]*;$/gm, '').replaceAll(/^export /gm, '');
  });
  return `(() => {\n'use strict';\n${bodies.join('\n')}\n})();\n`;
}

function script(parts: readonly string[]): () => Reply {
  return () => ({
    status: 200,
    headers: {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
    body: joinScript(parts),
  });
}

function file(path: string, type: string): () => Reply {
  return () => ({
    status: 200,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': pagePolicy("'self'"),
      'Referrer-Policy': 'no-referrer',
    },
    body: readFileSync(new URL(path, browserDir), 'utf8'),
  });
}

/** Serves scripts, frame page and styles by path. Each is built once and cached in memory. */
export function createAssets(): (path: string) => Reply | undefined {
  const makers: Record<string, () => Reply> = {
    '/stripe.js': script(stripeParts),
    '/endive/stripe.js': script(stripeParts),
    '/elements/payment': file('frame/payment.html', 'text/html'),
    '/elements/payment.js': script(frameParts),
    '/elements/payment.css': file('frame/payment.css', 'text/css'),
    '/elements/challenge.css': file('challenge.css', 'text/css'),
  };
  const made = new Map<string, Reply>();
  return (path) => {
    const make = Object.hasOwn(makers, path) ? makers[path] : undefined;
    if (make === undefined) return undefined;
    const reply = made.get(path) ?? make();
    made.set(path, reply);
    return reply;
  };
}
