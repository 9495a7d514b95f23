/** Signs the tickets of a user's phone in advance: the unredeemed items of each purchase, for some hours. */
import { sign } from 'node:crypto';
import {
  encodeTicket,
  parseTicket,
  TICKET_GROUPS_MAX,
  TICKET_ITEMS_MAX,
  ticketItemIds,
  ticketToSign,
  type TicketGroup,
} from '@athos/domain/ticket-code';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import { selectHeldKindsOf } from '../../holds/index.ts';
import { selectRedeemableItems, type RedeemableItem } from '../../shop/index.ts';
import { countDevicesOfConflicts } from '../gates/conflicts.sql.ts';
import { keyByteOf } from './read-ticket-code.ts';
import { selectTicketPhone, type TicketPhone } from './ticket-phones.sql.ts';
import {
  insertTickets,
  selectDecidingConflict,
  selectTickets,
  takeTicketNumbers,
  type NewTicket,
  type TicketRow,
} from './tickets.sql.ts';

interface IssueDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
  readonly programme: ReadProgramme;
}

const HOUR_MS = 60 * 60_000;
/**
 * The age up to which a ticket is returned again, so that frequent calls neither write nor change the answer. Such a ticket has at least
 * half of its time left.
 */
const renewedAfterMs = (validHours: number): number => Math.min(1, validHours / 2) * HOUR_MS;
/** The number of items that the wallet keeps for reading offline. */
const ITEMS_MAX = 200;

const NO_TICKETS_MS = 30 * 24 * HOUR_MS;
const DEVICES_OF_CONFLICTS = 2;

/** The item groups of one ticket. A purchase with too many items for one ticket has several. */
interface Plan {
  readonly purchaseId: bigint;
  readonly groups: readonly TicketGroup[];
}

/** `until`: the time from which fewer devices count. */
export type Withheld =
  { readonly reason: 'held' } | { readonly reason: 'conflicts'; readonly until: Date };

export interface IssuedTickets {
  /** Undefined if the user has no ticket phone. Then there are no tickets. */
  readonly phone: TicketPhone | undefined;
  readonly tickets: readonly TicketRow[];
  /** Why there are no tickets. */
  readonly withheld?: Withheld;
}

/**
 * When a user whose codes have conflicted at more than one device gets tickets again; `undefined` for other users. A single device may
 * itself be at fault.
 */
async function conflictsUntil({ db, clock }: IssueDeps, userId: bigint): Promise<Date | undefined> {
  const since = new Date(clock.nowMs() - NO_TICKETS_MS);
  const count = await countDevicesOfConflicts(db, userId, since);
  if (count < DEVICES_OF_CONFLICTS) return undefined;
  const deciding = await selectDecidingConflict(db, userId, DEVICES_OF_CONFLICTS);
  return deciding && new Date(deciding.getTime() + NO_TICKETS_MS);
}

async function whyWithheld(deps: IssueDeps, userId: bigint): Promise<Withheld | undefined> {
  const held = await selectHeldKindsOf(deps.db, [userId]);
  if (held.get(userId)?.includes('redeem') === true) return { reason: 'held' };
  const until = await conflictsUntil(deps, userId);
  return until && { reason: 'conflicts', until };
}

/**
 * Returns the tickets of the user's phone. There are none while a hold stops redemption, and none for a month after conflicts at two
 * devices.
 */
export async function issueTickets(
  deps: IssueDeps,
  { userId, userUuid }: { readonly userId: bigint; readonly userUuid: string },
): Promise<IssuedTickets> {
  const { db, clock } = deps;
  const phone = await selectTicketPhone(db, userId);
  if (phone === undefined) return { phone, tickets: [] };
  const withheld = await whyWithheld(deps, userId);
  if (withheld !== undefined) return { phone, tickets: [], withheld };
  const plans = planTickets(await selectRedeemableItems(db, userId, ITEMS_MAX));
  const { ticketHours } = await deps.programme();
  const since = new Date(clock.nowMs() - renewedAfterMs(ticketHours));
  const known = new Map(
    (await selectTickets(db, phone.id, since)).map((row) => [itemsText(row.ticket), row]),
  );
  const missing = plans.filter((plan) => !known.has(idsText(plan)));
  if (missing.length > 0) {
    const made = await signTickets(deps, { phone, userUuid }, missing);
    // The phone has ended in the meantime.
    if (!(await insertTickets(db, phone.id, made))) return { phone: undefined, tickets: [] };
    for (const row of made) known.set(itemsText(row.ticket), row);
  }
  return { phone, tickets: plans.flatMap((plan) => known.get(idsText(plan)) ?? []) };
}

const idsText = (plan: Pick<Plan, 'groups'>): string => ticketItemIds(plan).join();

function itemsText(ticket: Buffer): string {
  const parsed = parseTicket(Uint8Array.from(ticket));
  return parsed === undefined ? '' : idsText(parsed.content);
}

/** Groups items by purchase, with consecutive ids of one offer as one group. `items` are sorted by purchase and id. */
function planTickets(items: readonly RedeemableItem[]): Plan[] {
  const plans: { purchaseId: bigint; groups: TicketGroup[]; itemCount: number }[] = [];
  for (const { id, purchaseId, offerId } of items) {
    const itemId = Number(id);
    const plan = plans.at(-1);
    const group = plan?.purchaseId === purchaseId ? plan.groups.at(-1) : undefined;
    const isNext = group?.offerId === offerId && group.firstItemId + group.itemCount === itemId;
    const hasRoom =
      plan?.purchaseId === purchaseId &&
      plan.itemCount < TICKET_ITEMS_MAX &&
      (isNext || plan.groups.length < TICKET_GROUPS_MAX);
    const first = { offerId, firstItemId: itemId, itemCount: 1 };
    if (!hasRoom) {
      plans.push({ purchaseId, groups: [first], itemCount: 1 });
    } else if (isNext && group !== undefined) {
      plan.groups[plan.groups.length - 1] = { ...group, itemCount: group.itemCount + 1 };
      plan.itemCount += 1;
    } else {
      plan.groups.push(first);
      plan.itemCount += 1;
    }
  }
  return plans;
}

async function signTickets(
  { db, clock, qrKeys, programme }: IssueDeps,
  { phone, userUuid }: { readonly phone: TicketPhone; readonly userUuid: string },
  plans: readonly Plan[],
): Promise<NewTicket[]> {
  const { ticketHours: validHours } = await programme();
  const { kid, privateKey } = qrKeys.current;
  const validFromS = Math.floor(clock.nowMs() / 1000);
  const numbers = await takeTicketNumbers(db, plans.length);
  return plans.map(({ purchaseId, groups }, index) => {
    const ticketId = numbers[index] ?? 0n;
    const body = encodeTicket({
      keyByte: keyByteOf(kid),
      number: Number(ticketId),
      holder: userUuid.slice(0, 8),
      validFromS,
      validHours,
      phoneKey: Uint8Array.from(phone.publicKey),
      groups,
    });
    const signature = sign(null, ticketToSign(body), privateKey);
    return {
      number: ticketId,
      purchaseId,
      ticket: Buffer.concat([body, signature]),
      validFrom: new Date(validFromS * 1000),
      validUntil: new Date(validFromS * 1000 + validHours * HOUR_MS),
    };
  });
}
