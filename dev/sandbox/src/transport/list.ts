import type { Kind, ListQuery, StoredKinds } from '../store.ts';
import { invalidRequest, missingResource } from './errors.ts';
import { readForm, readGiven, readInteger, readText } from './params.ts';
import { ok } from './route.ts';
import type { Answer, Call } from './route.ts';

export const listSpec = {
  limit: 'text',
  starting_after: 'text',
  ending_before: 'text',
  expand: 'list',
} as const;

/** Returns one page, newest first, with a limit of 1 to 100 (default 10). Throws ApiError 400 for an invalid cursor. */
export function answerList<K extends Kind>(
  call: Call,
  kind: K,
  options: {
    url: string;
    equals?: Record<string, readonly string[]>;
    hiddenEquals?: Record<string, string>;
    createdFrom?: number;
    present?: (object: StoredKinds[K]) => object;
  },
): Answer {
  const { sandbox, form } = call;
  const limit = readInteger(form, 'limit') ?? 10;
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Invalid limit: must be between 1 and 100', 'limit');
  }
  const after = readGiven(form, 'starting_after');
  const before = readGiven(form, 'ending_before');
  if (after !== undefined && before !== undefined) {
    throw invalidRequest('Give starting_after or ending_before, not both.');
  }
  const cursor = after ?? before;
  if (cursor !== undefined && sandbox.store.find(kind, cursor) === undefined) {
    throw missingResource(kind, cursor, after === undefined ? 'ending_before' : 'starting_after');
  }
  const created = readCreated(call);
  const query: ListQuery = {
    limit,
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...created,
    createdFrom: Math.max(options.createdFrom ?? 0, created.createdFrom ?? 0),
    equals: options.equals ?? {},
    hiddenEquals: options.hiddenEquals ?? {},
  };
  const page = sandbox.store.list(kind, query);
  return ok({
    object: 'list',
    data: options.present === undefined ? page.data : page.data.map(options.present),
    has_more: page.hasMore,
    url: options.url,
  });
}

/** Reads `created=5`, `created[gte]=5` and similar filters, in seconds. */
function readCreated(call: Call): Pick<ListQuery, 'createdFrom' | 'createdTo'> {
  if (readText(call.form, 'created') !== undefined) {
    const at = readInteger(call.form, 'created') ?? 0;
    return { createdFrom: at, createdTo: at };
  }
  const range = readForm(call.form, 'created');
  for (const name of Object.keys(range)) {
    if (!['gt', 'gte', 'lt', 'lte'].includes(name)) {
      throw invalidRequest(`Received unknown parameter: created[${name}]`, 'created');
    }
  }
  const gt = readInteger(range, 'gt');
  const gte = readInteger(range, 'gte');
  const lt = readInteger(range, 'lt');
  const lte = readInteger(range, 'lte');
  const from = Math.max(gt === null ? 0 : gt + 1, gte ?? 0);
  const to = Math.min(lt === null ? Infinity : lt - 1, lte ?? Infinity);
  return { createdFrom: from, ...(to === Infinity ? {} : { createdTo: to }) };
}

/** Reads the list filters in the request, by field. */
export function readFilters(call: Call, names: readonly string[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {};
  for (const name of names) {
    const value = readGiven(call.form, name);
    if (value !== undefined) filters[name] = [value];
  }
  return filters;
}
