import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf } from '../../platform/clock.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { changeContacts, readContacts, type ContactDeps } from './contacts.ts';

export type ContactRouteDeps = EndpointDeps & ContactDeps;

export function registerContactRoutes(app: FastifyInstance, deps: ContactRouteDeps): void {
  const serverTime = (): string => dateOf(deps.clock).toISOString();

  endpoint(app, deps, api.contacts, async ({ user, reply }) => {
    // The time is taken before the list is read, because the list does not contain later deletions.
    const time = serverTime();
    const contacts = await readContacts(deps, user.userId);
    reply.header('cache-control', 'no-store');
    return { server_time: time, contacts };
  });

  endpoint(app, deps, api.changeContacts, async ({ user, body, reply }) => {
    const time = serverTime();
    const contacts = await changeContacts(deps, user.userId, body.contacts);
    reply.header('cache-control', 'no-store');
    return { server_time: time, contacts };
  });
}
