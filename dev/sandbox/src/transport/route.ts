import type { Cause, Sandbox } from '../sandbox.ts';
import type { Form } from './form.ts';
import type { Upload } from './multipart.ts';
import type { ParamSpec } from './params.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** The kind of key: the server's secret key, or the browser's publishable key with the intent's client secret. */
export type Access = 'secret' | 'publishable';

export interface Call {
  readonly sandbox: Sandbox;
  readonly access: Access;
  readonly cause: Cause;
  readonly form: Form;
  /** The file of a multipart request. */
  readonly upload: Upload | null;
  /** The variable part of the path; empty if there is none. */
  readonly id: string;
}

export interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface Route {
  readonly method: Method;
  /** `:id` matches one path segment. */
  readonly path: string;
  readonly params: ParamSpec;
  /** Whether a publishable key may call it. */
  readonly isPublic?: boolean;
  readonly run: (call: Call) => Answer;
}

export function ok(body: object): Answer {
  return { status: 200, body };
}

/** Finds the route and the id in its path. */
export function matchRoute(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } | undefined {
  const parts = path.split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (route.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part === ':id' || part === parts[index])) continue;
    const id = parts[wanted.indexOf(':id')] ?? '';
    return { route, id };
  }
  return undefined;
}
