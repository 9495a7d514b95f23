import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, send, sendJson } from '../pages/reply.ts';
import type { Sandbox } from '../sandbox.ts';
import { isLoopbackHost } from '../settings.ts';
import { ApiError } from '../transport/errors.ts';
import { ControlError, parseControlBody } from './control-body.ts';
import { controlRoutes } from './control-routes.ts';

const confirmPath = '/_sandbox/confirm';

/**
 * Handles `/_sandbox/*`. Web pages of other origins are refused, or any page could reset the sandbox. The exception
 * is paying with a known client secret, which a wallet's stand-in for a native payment sheet needs.
 */
export async function answerControl(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const { origin } = request.headers;
  const isOwn = origin === undefined || origin === sandbox.url;
  const headers: Record<string, string> = {};
  if (!isOwn) {
    const isLocal = isLoopbackHost(URL.parse(origin)?.hostname ?? '');
    if (path !== confirmPath || !isLocal) {
      sendJson(response, 403, { error: 'Not for pages of another origin.' });
      return;
    }
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Allow-Headers'] = 'Content-Type';
    headers['Vary'] = 'Origin';
  }
  if (request.method === 'OPTIONS') {
    send(response, { status: 204, headers, body: '' });
    return;
  }
  const run = controlRoutes[`${request.method} ${path}`];
  if (run === undefined) {
    const error = `Known are: ${Object.keys(controlRoutes).join(', ')}`;
    sendJson(response, 404, { error }, headers);
    return;
  }
  try {
    sendJson(response, 200, run(sandbox, parseControlBody(await readBody(request))), headers);
  } catch (error) {
    if (error instanceof ControlError) sendJson(response, 400, { error: error.message }, headers);
    else if (error instanceof ApiError) {
      sendJson(response, error.status, { error: error.body }, headers);
    } else throw error;
  }
}
