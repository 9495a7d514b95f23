/** Calls by which staff move value manually, within a policy or after a vote (decision 0022). */
import { z } from 'zod';
import { positiveUnitsText, assetName, uuidText } from '../values.ts';
import { policyOutcome, reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';

const customerParam = z.object({ uuid: uuidText });
const byHand = { method: 'POST', auth: 'console', proof: true, answer: policyOutcome({}) } as const;

export const adjustmentCalls = {
  creditCustomer: {
    ...byHand,
    path: '/admin/customers/:uuid/credit',
    permission: 'customers.adjust',
    audit: { action: 'customer.credit', subject: 'customer' },
    summary: 'Give ATH from the goodwill budget',
    params: customerParam,
    body: z
      .object({ amount: positiveUnitsText, reason: reasonText })
      .meta({ id: 'CreditCustomer' }),
  },
  debitCustomer: {
    ...byHand,
    path: '/admin/customers/:uuid/debit',
    permission: 'customers.adjust',
    audit: { action: 'customer.debit', subject: 'customer' },
    summary: 'Take tokens from a balance',
    params: customerParam,
    body: z
      .object({ amount: positiveUnitsText, asset: assetName.default('ATH'), reason: reasonText })
      .meta({ id: 'DebitCustomer' }),
  },
  fundGoodwill: {
    ...byHand,
    path: '/admin/goodwill',
    permission: 'ledger.book',
    audit: { action: 'goodwill.fund', subject: 'programme' },
    summary: 'Issue ATH into the goodwill budget',
    body: z.object({ amount: positiveUnitsText, reason: reasonText }).meta({ id: 'FundGoodwill' }),
  },
} as const satisfies ConsoleCalls;
