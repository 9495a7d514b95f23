import type Stripe from 'stripe';
import { createId } from '../ids.ts';
import { invalidRequest, missingParameter, missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { readChoice } from '../transport/params.ts';
import { ok } from '../transport/route.ts';
import type { Answer, Call, Route } from '../transport/route.ts';
import { emit } from '../webhooks/events.ts';

const purposes = ['customer_signature', 'dispute_evidence'] as const;

/** The provider's limit for a file of evidence. */
export const fileBytesMax = 5 * 1024 * 1024;

const signatures = [
  ['pdf', Buffer.from('%PDF-')],
  ['png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['jpg', Buffer.from('\xff\xd8\xff', 'latin1')],
] as const;

/** Accepts a file by its content, regardless of its name. The content is not stored. */
function create(call: Call): Answer {
  const { sandbox, cause, form, upload } = call;
  const purpose = readChoice(form, 'purpose', purposes, null);
  if (purpose === null) throw missingParameter('purpose');
  if (upload === null) throw missingParameter('file');
  if (upload.bytes.length === 0) throw invalidRequest('The file is empty.', 'file');
  if (upload.bytes.length > fileBytesMax) {
    throw invalidRequest('The file is larger than 5 MB.', 'file');
  }
  const type = signatures.find(([, start]) => upload.bytes.subarray(0, start.length).equals(start));
  if (type === undefined) {
    throw invalidRequest('The file is not supported: send a PDF, JPEG or PNG.', 'file');
  }
  const file: Stripe.File = {
    id: createId('file_1'),
    object: 'file',
    created: sandbox.clock.nowSeconds(),
    expires_at: null,
    filename: upload.name || null,
    purpose,
    size: upload.bytes.length,
    title: null,
    type: type[0],
    url: null,
  };
  sandbox.store.insert('file', file);
  emit(sandbox, cause, { type: 'file.created', object: file });
  return ok(file);
}

export const fileRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/files',
    params: { expand: 'list', file: 'text', purpose: 'text' },
    run: create,
  },
  {
    method: 'GET',
    path: '/v1/files',
    params: { ...listSpec, created: 'text or map', purpose: 'text' },
    run: (call) =>
      answerList(call, 'file', { url: '/v1/files', equals: readFilters(call, ['purpose']) }),
  },
  {
    method: 'GET',
    path: '/v1/files/:id',
    params: { expand: 'list' },
    run: (call) => {
      const file = call.sandbox.store.find('file', call.id)?.object;
      if (file === undefined) throw missingResource('file upload', call.id);
      return ok(file);
    },
  },
];
