import { sessionCalls } from '../session.ts';
import { campaignCalls } from './campaigns.ts';
import { cardCalls } from './cards.ts';
import { catalogueCalls } from './catalogue.ts';
import { confirmationCalls } from './confirmations.ts';
import { contactCalls } from './contacts.ts';
import { eventCalls } from './events.ts';
import { historyCalls } from './history.ts';
import { legalCalls } from './legal.ts';
import { noteCalls } from './notes.ts';
import { identityCalls } from './identity.ts';
import { profileCalls } from './profiles.ts';
import { programmeCalls } from './programme.ts';
import { purchaseCalls } from './purchases.ts';
import { receiptCalls } from './receipts.ts';
import { securityCalls } from './security.ts';
import { statementCalls } from './statements.ts';
import { ticketCalls } from './tickets.ts';
import { transferCalls } from './transfers.ts';

/** Every call made by the wallet. */
export const walletCalls = {
  ...sessionCalls,
  ...identityCalls,
  ...securityCalls,
  ...confirmationCalls,
  ...legalCalls,
  ...transferCalls,
  ...eventCalls,
  ...historyCalls,
  ...noteCalls,
  ...contactCalls,
  ...receiptCalls,
  ...statementCalls,
  ...cardCalls,
  ...catalogueCalls,
  ...purchaseCalls,
  ...ticketCalls,
  ...campaignCalls,
  ...profileCalls,
  ...programmeCalls,
} as const;
