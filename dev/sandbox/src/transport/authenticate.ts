import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '../settings.ts';
import { ApiError } from './errors.ts';
import type { Form } from './form.ts';
import { readGiven } from './params.ts';
import type { Access } from './route.ts';

function refuse(message: string, code?: string): ApiError {
  const body = { type: 'invalid_request_error', message } as const;
  return new ApiError(401, code === undefined ? body : { ...body, code });
}

/** Shows only the kind and the last four characters of a key. */
function maskKey(key: string): string {
  const kind = /^(sk|pk|rk)_(test|live)_/.exec(key)?.[0] ?? '';
  return `${kind}${'*'.repeat(8)}${key.length > kind.length + 8 ? key.slice(-4) : ''}`;
}

/** Reads the key from Bearer, from HTTP Basic (as the user name) or from the browser's `key` parameter. */
function readKey(headers: IncomingHttpHeaders, form: Form): string | undefined {
  const header = headers.authorization ?? '';
  const bearer = /^Bearer\s+(\S+)$/i.exec(header)?.[1];
  const basic = /^Basic\s+(\S+)$/i.exec(header)?.[1];
  if (bearer !== undefined) return bearer;
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8').split(':')[0];
  return readGiven(form, 'key');
}

/** Returns whose key the request carries. Throws ApiError 401, which never contains a full key. */
export function authenticate(settings: Settings, headers: IncomingHttpHeaders, form: Form): Access {
  const key = readKey(headers, form);
  if (key === undefined || key === '') {
    throw refuse(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    );
  }
  if (/^[a-z]k_live_/.test(key)) throw refuse('Live keys are refused: this is a sandbox.');
  if (key === settings.secretKey) return 'secret';
  if (key === settings.publishableKey) return 'publishable';
  throw refuse(`Invalid API Key provided: ${maskKey(key)}`);
}

/** 401 for a publishable key on a call that requires the secret key. */
export function secretKeyRequired(): ApiError {
  return refuse(
    'This API call cannot be made with a publishable API key. Please use a secret API key.',
    'secret_key_required',
  );
}
