import { ReadableStream, TextDecoderStream, TransformStream } from 'node:stream/web';

/** Vitest setup: the streams of a browser, which a new VM context lacks. */
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TransformStream });
