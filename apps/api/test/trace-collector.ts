/** A collector of traces (OTLP over HTTP, JSON), and the spans that it was sent. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly spanId: string; readonly key: unknown }[];
  readonly hasFailed: boolean;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number };
}
interface WireSpan extends Omit<CollectedSpan, 'attributes' | 'links' | 'hasFailed'> {
  readonly attributes: readonly Attribute[];
  readonly links: readonly { readonly spanId: string; readonly attributes: readonly Attribute[] }[];
  readonly status?: { readonly code?: number };
}
interface WireTraces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

const FAILED = 2;

const readAttributes = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]),
  );

export interface TraceCollector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The access keys of all requests. */
  readonly accessKeys: Set<unknown>;
  /** From now on, it takes requests and never answers. */
  hang(): void;
  close(): Promise<void>;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const accessKeys = new Set<unknown>();
  let isHanging = false;
  const take = (text: string, response: ServerResponse): void => {
    const { resourceSpans } = JSON.parse(text) as WireTraces;
    for (const span of resourceSpans
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)) {
      spans.push({
        ...span,
        parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
        attributes: readAttributes(span.attributes),
        links: span.links.map((link) => ({
          spanId: link.spanId,
          key: readAttributes(link.attributes)['athos.idempotency_key'],
        })),
        hasFailed: span.status?.code === FAILED,
      });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => {
    accessKeys.add(request.headers['x-access-key']);
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (!isHanging) take(text, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    accessKeys,
    hang: () => (isHanging = true),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
