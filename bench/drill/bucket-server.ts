/**
 * A bucket for pgBackRest, in memory and over TLS: the part of S3 that it uses. Rejected: s3rver, whose parsers of XML and forms have known
 * vulnerabilities, and which checks no Content-MD5.
 */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface BucketOptions {
  /** The bucket's own name in the network, as a client of the virtual-hosted style asks for it. */
  readonly host: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly certificate: { readonly key: Buffer; readonly cert: Buffer };
}

export interface BucketServer {
  readonly port: number;
  /** By key, without a leading slash. */
  readonly objects: Map<string, Buffer>;
  /** While it is not reachable, its port refuses connections. */
  setReachable(isReachable: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An error in the form of S3. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    this.status = status;
  }
}

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly range: string | undefined;
  readonly body: Buffer;
}

const KEYS_PER_PAGE = 1_000;
const LAST_MODIFIED = new Date(0);
const md5 = (body: Buffer, form: 'hex' | 'base64'): string =>
  createHash('md5').update(body).digest(form);

/** The objects of one bucket, and the uploads in parts that are not complete. */
class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly #uploads = new Map<string, Map<number, Buffer>>();

  answer(asked: Asked): Answer {
    const { method, query } = asked;
    if (method === 'GET' && query.has('list-type')) return this.#list(query);
    if (method === 'GET' || method === 'HEAD') return this.#get(asked);
    if (method === 'PUT' && query.has('uploadId')) return this.#putPart(asked);
    if (method === 'PUT') return this.#put(asked);
    if (method === 'POST' && query.has('uploads')) return this.#begin();
    if (method === 'POST' && query.has('uploadId')) return this.#complete(asked);
    if (method === 'POST' && query.has('delete')) return this.#delete(keysIn(asked.body));
    if (method === 'DELETE') return this.#delete([asked.key]);
    throw new Refusal(501, `NotImplemented ${method} ${query.toString()}`);
  }

  /** Keys are of pgBackRest and need no escapes in XML. */
  #list(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const after = query.get('continuation-token') ?? '';
    const names = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => {
        const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
        return end < 0 ? key : key.slice(0, end + 1);
      });
    const following = [...new Set(names)].toSorted().filter((name) => name > after);
    const page = following.slice(0, KEYS_PER_PAGE);
    const entries = page.map((name) => {
      const body = this.objects.get(name);
      return body === undefined
        ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
        : `<Contents><Key>${name}</Key><Size>${body.length}</Size><LastModified>${LAST_MODIFIED.toISOString()}</LastModified></Contents>`;
    });
    const isCut = following.length > page.length;
    const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return {
      body: `<ListBucketResult><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
    };
  }

  #get({ method, key, range }: Asked): Answer {
    const body = this.objects.get(key);
    if (body === undefined) throw new Refusal(404, 'NoSuchKey');
    const headers = { 'last-modified': LAST_MODIFIED.toUTCString() };
    if (method === 'HEAD') {
      return { headers: { ...headers, 'content-length': String(body.length) } };
    }
    if (range === undefined) return { headers, body };
    const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const end = to === '' ? body.length : Number(to) + 1;
    return { status: 206, headers, body: body.subarray(Number(from), end) };
  }

  #put({ key, body }: Asked): Answer {
    this.objects.set(key, body);
    return { headers: { etag: `"${md5(body, 'hex')}"` } };
  }

  #begin(): Answer {
    const id = randomUUID();
    this.#uploads.set(id, new Map());
    return {
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }

  #putPart({ query, body }: Asked): Answer {
    this.#partsOf(query).set(Number(query.get('partNumber')), body);
    return { headers: { etag: `"${md5(body, 'hex')}"` } };
  }

  #complete({ key, query, body }: Asked): Answer {
    const parts = this.#partsOf(query);
    const named = body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g);
    const whole = [...named].map(([, number]) => parts.get(Number(number)));
    if (whole.some((part) => part === undefined)) throw new Refusal(400, 'InvalidPart');
    const all = Buffer.concat(whole.filter((part) => part !== undefined));
    this.objects.set(key, all);
    this.#uploads.delete(query.get('uploadId') ?? '');
    return {
      body: `<CompleteMultipartUploadResult><ETag>"${md5(all, 'hex')}-${parts.size}"</ETag></CompleteMultipartUploadResult>`,
    };
  }

  #partsOf(query: URLSearchParams): Map<number, Buffer> {
    const parts = this.#uploads.get(query.get('uploadId') ?? '');
    if (parts === undefined) throw new Refusal(404, 'NoSuchUpload');
    return parts;
  }

  #delete(keys: Iterable<string>): Answer {
    for (const key of keys) this.objects.delete(key);
    return { body: '<DeleteResult></DeleteResult>' };
  }
}

const keysIn = (body: Buffer): Iterable<string> =>
  body
    .toString()
    .matchAll(/<Key>([^<]*)<\/Key>/g)
    .map(([, key = '']) => key);

/** As a bucket with object lock does, it takes no body without its sum. */
async function readAsked(request: IncomingMessage, options: BucketOptions): Promise<Asked> {
  const body = await buffer(request);
  const { authorization = '', host, range, 'content-md5': sum } = request.headers;
  const { accessKeyId, region } = options;
  if (host !== options.host) throw new Refusal(404, 'NoSuchBucket');
  const scope = new RegExp(
    `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/\\d{8}/${region}/s3/aws4_request,`,
  );
  if (!scope.test(authorization)) throw new Refusal(403, 'InvalidAccessKeyId');
  if (body.length > 0 && sum !== md5(body, 'base64')) throw new Refusal(400, 'BadDigest');
  const { pathname, searchParams } = new URL(request.url ?? '', `https://${host}`);
  const key = decodeURIComponent(pathname.slice(1));
  return { method: request.method ?? '', key, query: searchParams, range, body };
}

/** Starts a bucket at a port of this machine. */
export async function startBucket(options: BucketOptions): Promise<BucketServer> {
  const bucket = new Bucket();
  const server = createServer(options.certificate, (request, response) => {
    readAsked(request, options)
      .then((asked) => bucket.answer(asked))
      .then(({ status = 200, headers = {}, body }) => response.writeHead(status, headers).end(body))
      .catch((error: unknown) => {
        // The client went away before it had sent everything.
        if (!request.complete) return;
        if (!(error instanceof Refusal)) throw error;
        response.writeHead(error.status).end(error.message);
      });
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    objects: bucket.objects,
    setReachable: (isReachable) => (isReachable ? listen(port) : close()),
    close,
  };
}
