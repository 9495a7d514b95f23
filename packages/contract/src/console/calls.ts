/** Every call of the console by name, with the types of its request and response. */
import { z } from 'zod';
import { adjustmentCalls } from './adjustments.ts';
import { approvalCalls } from './approvals.ts';
import { auditCalls } from './audit.ts';
import { batchCalls } from './batches.ts';
import { campaignCalls } from './campaigns.ts';
import { categoryCalls } from './categories.ts';
import { offerCalls } from './offers.ts';
import { cardMoneyCalls } from './card-money.ts';
import { dashboardCalls } from './dashboard.ts';
import { conflictCalls } from './conflicts.ts';
import { debtCalls } from './debts.ts';
import { disputeCalls } from './disputes.ts';
import { customerCalls } from './customers.ts';
import { eventCalls } from './events.ts';
import { exportCalls } from './exports.ts';
import { paymentCalls } from './payments.ts';
import { pictureCalls } from './pictures.ts';
import { peopleCalls } from './people.ts';
import { providerMoneyCalls } from './provider-money.ts';
import { publicNameCalls } from './public-names.ts';
import { purchaseCalls } from './purchases.ts';
import { rateCalls } from './rate.ts';
import { recoveryCalls } from './recoveries.ts';
import { redemptionCalls } from './redemptions.ts';
import { settingCalls } from './settings.ts';
import { searchCalls } from './search.ts';
import { meCalls } from './me.ts';
import { brakeCalls } from './brakes.ts';
import { bulkCalls } from './bulk.ts';
import { scannerDeviceCalls } from './scanners.ts';
import { jobCalls } from './jobs.ts';
import { systemCalls } from './system.ts';
import { tierCalls } from './tiers.ts';
import { venueCalls } from './venues.ts';
import { viewCalls } from './views.ts';
import { signInCalls } from './sign-in.ts';
import { codeCalls } from './codes.ts';
import type { ConsoleCalls } from './console-call.ts';
import { heldSendCalls } from './held-sends.ts';
import { holdCalls } from './holds.ts';
import { legalCalls } from './legal.ts';
import { ledgerCalls } from './ledger.ts';
import { offerImportCalls } from './offer-imports.ts';
import { merchantCalls } from './merchants.ts';

const documentCalls = {
  consoleDocument: {
    method: 'GET',
    path: '/admin/openapi.json',
    auth: 'console',
    permission: 'own',
    summary: 'This description of the console',
    answer: z.record(z.string(), z.unknown()),
  },
} as const satisfies ConsoleCalls;

export const consoleApi = {
  ...documentCalls,
  ...signInCalls,
  ...meCalls,
  ...peopleCalls,
  ...paymentCalls,
  ...cardMoneyCalls,
  ...disputeCalls,
  ...debtCalls,
  ...providerMoneyCalls,
  ...auditCalls,
  ...holdCalls,
  ...recoveryCalls,
  ...publicNameCalls,
  ...heldSendCalls,
  ...ledgerCalls,
  ...dashboardCalls,
  ...adjustmentCalls,
  ...approvalCalls,
  ...settingCalls,
  ...legalCalls,
  ...rateCalls,
  ...brakeCalls,
  ...purchaseCalls,
  ...redemptionCalls,
  ...conflictCalls,
  ...campaignCalls,
  ...batchCalls,
  ...venueCalls,
  ...jobCalls,
  ...systemCalls,
  ...scannerDeviceCalls,
  ...codeCalls,
  ...customerCalls,
  ...eventCalls,
  ...exportCalls,
  ...searchCalls,
  ...viewCalls,
  ...bulkCalls,
  ...categoryCalls,
  ...offerCalls,
  ...tierCalls,
  ...merchantCalls,
  ...offerImportCalls,
  ...pictureCalls,
} as const;

type ConsoleApi = typeof consoleApi;
export type ConsoleCallName = keyof ConsoleApi;

/** The audit action of each call. */
export type ConsoleAuditAction = {
  [Name in ConsoleCallName]: ConsoleApi[Name] extends {
    readonly audit: { readonly action: infer Action };
  }
    ? Action
    : never;
}[ConsoleCallName];

type InputOf<Name extends ConsoleCallName, Part extends string> =
  ConsoleApi[Name] extends Record<Part, infer Schema>
    ? Schema extends z.ZodType
      ? z.input<Schema>
      : undefined
    : undefined;

export type ConsoleBodyOf<Name extends ConsoleCallName> = InputOf<Name, 'body'>;
export type ConsoleQueryOf<Name extends ConsoleCallName> = InputOf<Name, 'query'>;
export type ConsoleParamsOf<Name extends ConsoleCallName> = InputOf<Name, 'params'>;
export type ConsoleAnswerOf<Name extends ConsoleCallName> = z.output<ConsoleApi[Name]['answer']>;
