import { ReadableStream, TextDecoderStream, TransformStream } from 'node:stream/web';

/** Vitest setup: the streams of a browser, which a context of its own is made without. */
Object.assign(globalThis, { ReadableStream, TextDecoderStream, TransformStream });
