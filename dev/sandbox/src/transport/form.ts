import { invalidRequest } from './errors.ts';

export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export interface Form {
  [key: string]: FormValue;
}

const depthMax = 6;

/**
 * Parses `application/x-www-form-urlencoded` with the provider's brackets: `metadata[k]=v`, `expand[0]=x` and
 * `expand[]=x`. The result has no prototype, so that no key can pollute one. Throws ApiError 400 for a malformed key.
 */
export function parseForm(text: string): Form {
  const root: Form = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) place(root, splitKey(key), value);
  const parsed: Form = Object.create(null);
  for (const [key, value] of Object.entries(root)) parsed[key] = listify(value);
  return parsed;
}

function splitKey(key: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  const brackets = [...(match?.[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((part) => part[1] ?? '');
  if (match?.[1] === undefined || brackets.length > depthMax) {
    throw invalidRequest(`Invalid parameter name: ${key.slice(0, 60)}`);
  }
  return [match[1], ...brackets];
}

function place(root: Form, path: readonly string[], value: string): void {
  let node: Form = root;
  for (const [index, part] of path.entries()) {
    const key = part === '' ? String(Object.keys(node).length) : part;
    if (index === path.length - 1) {
      node[key] = value;
      return;
    }
    const next = node[key];
    if (next !== undefined && (typeof next === 'string' || Array.isArray(next))) {
      throw invalidRequest(`Parameter ${path[0]} is given both as a value and as an object.`);
    }
    const child: Form = next ?? Object.create(null);
    node[key] = child;
    node = child;
  }
}

/** Turns `{0: a, 1: b}` back into a list. Metadata with numeric keys survives, because its reader expects a map. */
function listify(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d{1,4}$/.test(key))) {
    return entries.map(([, item]) => listify(item));
  }
  const object: Form = Object.create(null);
  for (const [key, item] of entries) object[key] = listify(item);
  return object;
}
