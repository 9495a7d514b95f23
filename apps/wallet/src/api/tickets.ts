/**
 * The tickets that this phone can show without a network (decision 0059). They are fetched while there is a network, stored on the phone,
 * and signed anew each time they are shown. The key never leaves the phone.
 */
import { makeDeviceKey, proofOf, publicKeyText, sessionIdOf } from '@athos/app-core/device-key';
import { isNetworkLost } from '@athos/app-core/network';
import { ApiError, isTemporary } from '@athos/client/errors';
import type { AnswerOf } from '@athos/contract/api';
import { fromBase64url } from '@athos/domain/base64url';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '@athos/app-core/query-client';
import { askToKeep, isPhone, phoneLabel } from './ticket-browser.ts';
import { session } from '../state/session.ts';
import {
  canKeepTickets,
  readTickets,
  writeTickets,
  type KeptTickets,
  type Withheld,
} from '../state/ticket-store.ts';
import { client } from './http.ts';

/** Tickets are renewed at least this often, and whenever a purchase or redemption changes the list of purchases. */
const RENEW_EVERY_MS = 60 * 60_000;

/** Begins with the key of the purchases, so that invalidating these also renews the tickets. */
const ticketsKey = (userUuid: string) => ['purchases', 'tickets', userUuid] as const;

async function makeKey(userUuid: string): Promise<KeptTickets> {
  const key = await makeDeviceKey();
  return {
    userUuid,
    key,
    publicKey: await publicKeyText(key),
    phone: undefined,
    tickets: [],
    answeredAtMs: 0,
    serverOffsetMs: 0,
  };
}

/**
 * Returns the label of another phone that stands in the way, unless the user asked to move. A phone that registers by itself says so,
 * because opening a screen must not ask the user for a confirmation.
 */
async function register(kept: KeptTickets, move: boolean): Promise<string | undefined> {
  const proof = await proofOf(kept.key, `phone-v1\n${sessionIdOf(session.token())}`);
  try {
    await client.call('registerTicketPhone', {
      body: { public_key: kept.publicKey, proof, label: phoneLabel(), move, by_itself: !move },
    });
    return undefined;
  } catch (error) {
    const isElsewhere = error instanceof ApiError && error.code === 'ticket_phone_elsewhere';
    if (!isElsewhere) throw error;
    return error.problem?.label ?? '';
  }
}

type WireTickets = AnswerOf<'tickets'>;

const readWithheld = (wire: NonNullable<WireTickets['withheld']>): Withheld =>
  wire.reason === 'conflicts'
    ? { reason: wire.reason, untilMs: Date.parse(wire.until) }
    : { reason: wire.reason };

/** The session that sends requests now; `undefined` after a sign-out, also in another tab. */
function sessionNow(): string | undefined {
  const token = session.token();
  return token === undefined ? undefined : sessionIdOf(token);
}

/**
 * Stores the response of a session, unless the session is over: its sign-out has deleted key and tickets, which must stay deleted. Nothing
 * may be awaited between the comparison and the opening of the database, because the sign-out deletes what was opened before.
 */
async function keepFor(asked: string | undefined, kept: KeptTickets): Promise<KeptTickets | null> {
  if (asked === undefined || sessionNow() !== asked) return null;
  await writeTickets(kept);
  return kept;
}

/** Fetches the tickets, after making this the ticket phone if there is none or if the user moves it here. */
async function fetchTickets(userUuid: string, move = false): Promise<KeptTickets | null> {
  const asked = sessionNow();
  const before = await readTickets(userUuid);
  if (before === undefined && !isPhone()) return null;
  // The key is stored before anything is sent, so that the server never knows a key that was lost.
  const own = before ?? (await keepFor(asked, await makeKey(userUuid)));
  if (own === null) return null;
  let answer = await client.call('tickets');
  let endedPhone: string | undefined;
  if (answer.phone === null || (move && answer.phone.public_key !== own.publicKey)) {
    endedPhone = await register(own, move);
    if (endedPhone === undefined) askToKeep();
    answer = await client.call('tickets');
  }
  const { phone, tickets, withheld } = answer;
  const isOwn = phone?.public_key === own.publicKey;
  const { userUuid: owner, key, publicKey } = own;
  return keepFor(asked, {
    userUuid: owner,
    key,
    publicKey,
    phone: phone === null ? undefined : { publicKey: phone.public_key, label: phone.label },
    tickets: isOwn
      ? tickets.map((one) => ({
          purchaseId: one.purchase_id,
          ticket: fromBase64url(one.ticket),
        }))
      : [],
    // If the other phone has not ended but was just registered, the second answer names it.
    ...(phone === null && endedPhone !== undefined && { endedPhone }),
    ...(isOwn && withheld && { withheld: readWithheld(withheld) }),
    answeredAtMs: Date.now(),
    serverOffsetMs: client.serverNowMs() - Date.now(),
  });
}

async function loadTickets(userUuid: string): Promise<KeptTickets | null> {
  if (!canKeepTickets()) return null;
  try {
    if (!isNetworkLost.get()) return await fetchTickets(userUuid);
  } catch (error) {
    // Without a response, the stored tickets are shown. A refusal is the server's decision and must not be hidden behind old tickets.
    if (!isTemporary(error)) throw error;
  }
  return (await readTickets(userUuid)) ?? null;
}

/** The tickets on this phone; `null` on a device that shows no tickets, `undefined` until it is known. */
export function useTickets(userUuid: string): KeptTickets | null | undefined {
  const { data } = useQuery({
    queryKey: ticketsKey(userUuid),
    queryFn: () => loadTickets(userUuid),
    staleTime: RENEW_EVERY_MS,
    refetchInterval: RENEW_EVERY_MS,
    // The key is a `CryptoKey`, which has no structure to compare.
    structuralSharing: false,
  });
  return data;
}

/** Makes this the ticket phone. Codes on the other one stop working. */
export async function moveTicketsHere(userUuid: string): Promise<void> {
  queryClient.setQueryData(ticketsKey(userUuid), await fetchTickets(userUuid, true));
}
