/** The words for accounts. */
import { m } from '@athos/messages/messages';
import type { AdminAnswer } from '../../api/call.ts';
import type { Tone } from '../../kit/badge.tsx';

export type Account = AdminAnswer<'ledgerAccount'>;

export const ACCOUNT_STATES: Readonly<
  Record<Account['state'], { title: () => string; tone: Tone }>
> = {
  open: { title: m.ledger_account_open, tone: 'neutral' },
  restricted: { title: m.ledger_account_restricted, tone: 'info' },
  held: { title: m.ledger_account_held, tone: 'info' },
  frozen: { title: m.ledger_account_frozen, tone: 'danger' },
  closed: { title: m.ledger_account_closed, tone: 'danger' },
};

const NO_FLOOR = -1_000_000_000_000_000_000n;

/** Accounts through which value enters have a technical floor, which only prevents overflow and is not shown. */
export const hasFloor = ({ floor }: Account): boolean => BigInt(floor) > NO_FLOOR;
