import { webcrypto } from 'node:crypto';
import { ReadableStream, TextDecoderStream, TransformStream } from 'node:stream/web';

/** Vitest setup: adds the browser's stream classes and cryptography, which a new VM context lacks. */
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TransformStream });
Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
