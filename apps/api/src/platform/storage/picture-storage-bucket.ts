import { AwsClient } from 'aws4fetch';

export interface BucketSettings {
  /** Without a trailing slash; the bucket becomes the first part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface LockingBucketSettings extends BucketSettings {
  /** How long object lock keeps a file. `undefined` for a bucket without it. */
  readonly lockDays?: number | undefined;
}

interface BucketRequest {
  readonly signal: AbortSignal;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status with which a bucket refuses to overwrite a file. */
const PRECONDITION_FAILED = 412;

/**
 * Stores files in a bucket of S3 or a compatible storage. Only four kinds of requests are needed, so a signer of 10 kB is
 * enough: the official client is a hundred packages and adds 100 ms to every start.
 */
export function createBucketStorage({ endpoint, bucket, region, ...keys }: BucketSettings) {
  // The caller sets the deadline, so it also decides about retries.
  const client = new AwsClient({ ...keys, region, service: 's3', retries: 0 });

  async function ask(
    method: 'PUT' | 'GET' | 'HEAD' | 'DELETE',
    name: string,
    { signal, bytes, headers }: BucketRequest,
  ): Promise<Response | undefined> {
    const request = await client.sign(`${endpoint}/${bucket}/${name}`, {
      method,
      ...(headers === undefined ? {} : { headers }),
      ...(bytes === undefined ? {} : { body: new Uint8Array(bytes) }),
    });
    const response = await fetch(request, { signal, redirect: 'error' });
    if (response.ok) return response;
    // An unread body would block the connection for the next request.
    await response.body?.cancel();
    if (response.status === 404 && method !== 'PUT') return undefined;
    if (response.status === PRECONDITION_FAILED) return undefined;
    throw new Error(`the bucket responded with ${response.status} to ${method} ${name}`);
  }

  return {
    /** Writes a file unless one of that name exists. */
    async putNew(
      name: string,
      bytes: Buffer,
      {
        signal,
        headers,
      }: { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> },
    ): Promise<void> {
      const all = { ...headers, 'if-none-match': '*' };
      const response = await ask('PUT', name, { bytes, signal, headers: all });
      await response?.body?.cancel();
    },

    async put(name: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
      const response = await ask('PUT', name, { bytes, signal });
      await response?.body?.cancel();
    },

    async get(name: string, signal: AbortSignal): Promise<Buffer | undefined> {
      const response = await ask('GET', name, { signal });
      return response === undefined ? undefined : Buffer.from(await response.arrayBuffer());
    },

    async has(name: string, signal: AbortSignal): Promise<boolean> {
      return (await ask('HEAD', name, { signal })) !== undefined;
    },

    async remove(name: string, signal: AbortSignal): Promise<void> {
      const response = await ask('DELETE', name, { signal });
      await response?.body?.cancel();
    },
  };
}
