import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { issueTickets, type Withheld } from './issue-tickets.ts';
import { registerTicketPhone } from './ticket-phone.ts';
import { endTicketPhone, type TicketPhone } from './ticket-phones.sql.ts';

interface OfflineDeps extends EndpointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
  readonly programme: ReadProgramme;
}

const presentPhone = ({ publicKey, label, madeAt }: TicketPhone) => ({
  public_key: publicKey.toString('base64url'),
  label,
  since: madeAt.toISOString(),
});

const presentWithheld = (withheld: Withheld) =>
  withheld.reason === 'conflicts'
    ? { reason: withheld.reason, until: withheld.until.toISOString() }
    : withheld;

export function registerOfflineRoutes(app: FastifyInstance, deps: OfflineDeps): void {
  const { db, clock } = deps;

  endpoint(app, deps, api.registerTicketPhone, async ({ user, body, confirmation }) => {
    const { public_key: publicKey, proof, label } = body;
    const { move: isMove = false, by_itself: isByItself = false } = body;
    const request = { user, confirmation, publicKey, proof, label, isMove, isByItself };
    return presentPhone(await registerTicketPhone(deps, request));
  });

  endpoint(app, deps, api.endTicketPhone, async ({ user }) => {
    await endTicketPhone(db, { userId: user.userId }, dateOf(clock));
    return { success: true } as const;
  });

  endpoint(app, deps, api.tickets, async ({ user, request, reply }) => {
    const { phone, tickets, withheld } = await issueTickets(deps, user);
    const answer = {
      phone: phone === undefined ? null : presentPhone(phone),
      tickets: tickets.map(({ purchaseId, ticket, validUntil }) => ({
        purchase_id: Number(purchaseId),
        ticket: ticket.toString('base64url'),
        valid_until: validUntil.toISOString(),
      })),
      ...(withheld && { withheld: presentWithheld(withheld) }),
    };
    const hash = createHash('sha256').update(JSON.stringify(answer)).digest('base64url');
    const etag = `"${hash.slice(0, 22)}"`;
    reply.header('cache-control', 'no-store').header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return { server_time: dateOf(clock).toISOString(), ...answer };
  });
}
