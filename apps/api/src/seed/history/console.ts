/** Calls of the console by the demo's staff, as its page makes them. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import {
  consoleApi,
  type ConsoleBodyOf,
  type ConsoleCallName,
} from '@athos/contract/console/calls';
import type { BuiltInRole } from '@athos/contract/console/permissions';
import { openStaffSession } from '../../modules/staff/index.ts';
import { invariant } from '../../platform/errors.ts';
import { sessionCookie } from '../../platform/console/console-cookie.ts';
import { demoStaff } from '../demo-staff.ts';
import type { World } from './world.ts';

interface Given<Name extends ConsoleCallName> {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: ConsoleBodyOf<Name>;
  readonly version?: number;
  /** The idempotency key. For a request that needs a vote, it becomes the request's id. */
  readonly key?: string;
}

/** The fields of answers that the seed reads. */
interface Answer {
  readonly id: string | number;
  readonly outcome: string;
  readonly approval_id: string;
  readonly version: number;
  /** The fields of an offer. */
  readonly fields: ConsoleBodyOf<'saveOffer'>;
  /** The balance of a merchant. */
  readonly balance: string;
  /** The code with which a scanner is enrolled. */
  readonly code: string;
  /** The legal texts in force. */
  readonly in_force: readonly { readonly kind: string; readonly body: string }[];
}

export type AskConsole = <Name extends ConsoleCallName>(
  role: BuiltInRole,
  name: Name,
  given?: Given<Name>,
) => Promise<Answer>;

const filledIn = (path: string, params: Readonly<Record<string, string | number>>): string =>
  path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));

/**
 * Every call is made in a session of its own, which begins with a proof of presence, like that of a person who does a few things and
 * signs out.
 */
export function createConsole({ deps }: Pick<World, 'deps'>, app: FastifyInstance): AskConsole {
  const { console: settings } = deps.config;

  async function cookieOf(role: BuiltInRole): Promise<string> {
    const email = demoStaff.find((person) => person.role === role)?.email ?? '';
    const { id: staffId } = await deps.db
      .selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { token } = await openStaffSession(deps.db, deps, {
      staffId,
      isEnrolled: true,
      networkAddress: '127.0.0.1',
      userAgent: 'Past/1.0',
    });
    return sessionCookie(settings, token).split(';')[0] ?? '';
  }

  return async (role, name, { params = {}, body, version, key = randomUUID() } = {}) => {
    const { method, path } = consoleApi[name];
    const answer = await app.inject({
      method,
      url: API_PREFIX + filledIn(path, params),
      headers: {
        cookie: await cookieOf(role),
        origin: settings.origin,
        'x-console': '1',
        ...(method !== 'GET' && { 'idempotency-key': key }),
        ...(version !== undefined && { 'if-match': `"${version}"` }),
      },
      ...(body !== undefined && { payload: body as object }),
    });
    invariant(
      answer.statusCode === 200,
      `${role} may ${name}: ${answer.statusCode} ${answer.body}`,
    );
    return answer.json<Answer>();
  };
}
