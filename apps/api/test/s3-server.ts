/** A minimal S3 server. Requests must be signed; objects are kept in memory. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestS3Server {
  readonly endpoint: string;
  /** The stored objects by path, such as `/bucket/name`. */
  readonly objects: Map<string, Buffer>;
  /** The headers with which each of them was stored. */
  readonly headers: Map<string, IncomingHttpHeaders>;
  /** Sets the response to every further request; `silence` means no response. */
  answerAll(status: number | 'silence' | undefined): void;
  close(): Promise<void>;
}

const SIGNATURE =
  /^AWS4-HMAC-SHA256 Credential=key-id\/\d{8}\/eu-north-1\/s3\/aws4_request, SignedHeaders=[\w;-]+, Signature=[0-9a-f]{64}$/;

/** By default, on this machine and a free port. */
export async function startS3Server({ host = '127.0.0.1', port = 0 } = {}): Promise<TestS3Server> {
  const objects = new Map<string, Buffer>();
  const headers = new Map<string, IncomingHttpHeaders>();
  let fixed: number | 'silence' | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (fixed === 'silence') return;
      const key = request.url ?? '';
      if (fixed !== undefined) response.writeHead(fixed).end('<Error/>');
      else if (!SIGNATURE.test(request.headers.authorization ?? '')) response.writeHead(403).end();
      else if (request.headers['if-none-match'] === '*' && objects.has(key))
        response.writeHead(412).end();
      else if (request.method === 'PUT') {
        headers.set(key, request.headers);
        objects.set(key, Buffer.concat(chunks));
        response.end();
      } else {
        const found = objects.get(key);
        if (found === undefined) response.writeHead(404).end();
        else response.end(request.method === 'HEAD' ? undefined : found);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    objects,
    headers,
    answerAll(status) {
      fixed = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
