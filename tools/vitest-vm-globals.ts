import { ReadableStream, TextDecoderStream, TransformStream } from 'node:stream/web';

/** Vitest setup: adds the browser's stream classes, which a new VM context lacks. */
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TransformStream });
