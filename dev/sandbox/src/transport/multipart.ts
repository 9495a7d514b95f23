import { createHash } from 'node:crypto';
import { invalidRequest } from './errors.ts';
import { parseForm } from './form.ts';
import type { Form } from './form.ts';

/** The file of a multipart request, which stays in memory. */
export interface Upload {
  readonly name: string;
  readonly bytes: Buffer<ArrayBuffer>;
}

/**
 * Parses `multipart/form-data` with at most one file, named `file`. In the form, the file is represented by its digest,
 * so that a replay with other contents is noticed. Throws ApiError 400 for a malformed body.
 */
export async function parseMultipart(
  body: Buffer<ArrayBuffer>,
  contentType: string,
): Promise<{ form: Form; upload: Upload | null }> {
  const parts = await readParts(body, contentType);
  const fields = new URLSearchParams();
  let upload: Upload | null = null;
  for (const [name, value] of parts) {
    if (typeof value === 'string') {
      fields.append(name, value);
      continue;
    }
    if (name !== 'file' || upload !== null) {
      throw invalidRequest('A request carries one file, named file.', 'file');
    }
    upload = { name: readFileName(value.name), bytes: Buffer.from(await value.arrayBuffer()) };
    fields.append('file', createHash('sha256').update(upload.bytes).digest('hex'));
  }
  return { form: parseForm(fields.toString()), upload };
}

async function readParts(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw invalidRequest('The multipart body is malformed.');
  }
}

/** The last part of a path, without control characters. It is only displayed: no file is written under this name. */
function readFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return last.replaceAll(/\p{Cc}/gu, '').slice(0, 255);
}
