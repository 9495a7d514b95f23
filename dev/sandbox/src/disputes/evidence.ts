import type Stripe from 'stripe';
import type { Sandbox } from '../sandbox.ts';
import { invalidRequest } from '../transport/errors.ts';
import type { Form } from '../transport/form.ts';
import { readForm, readList, readText } from '../transport/params.ts';

type Evidence = Stripe.Dispute.Evidence;

const textFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_tracking_number',
  'uncategorized_text',
] as const;

const fileFields = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const;

/** The parameters allowed in `evidence`. */
export const evidenceSpec = {
  ...Object.fromEntries([...textFields, ...fileFields].map((field) => [field, 'text' as const])),
  appeal: { card: { reason_for_filing: 'text', supporting_files: 'list' } },
} as const;

/** The provider's limit for all texts of a dispute together. */
const letterCountMax = 150_000;

/** The evidence of a new dispute, taken from the payment itself. */
export function firstEvidence(charge: Stripe.Charge): Evidence {
  const fields = [...textFields, ...fileFields].map((field) => [field, null]);
  return {
    ...(Object.fromEntries(fields) as Record<
      (typeof textFields | typeof fileFields)[number],
      null
    >),
    customer_email_address: charge.billing_details.email ?? charge.receipt_email,
    customer_name: charge.billing_details.name,
    enhanced_evidence: {},
  };
}

/**
 * Merges the given fields into the evidence; `''` empties one. Throws ApiError 400 for an unknown file and above 150,000
 * letters in all.
 */
export function mergeEvidence(sandbox: Sandbox, before: Evidence, form: Form): Evidence {
  const given: Partial<Record<string, string | null>> = {};
  for (const field of [...textFields, ...fileFields]) {
    const value = readText(form, field);
    if (value !== undefined) given[field] = value || null;
  }
  for (const field of fileFields) requireFile(sandbox, given[field], `evidence[${field}]`);
  const merged: Evidence = { ...before, ...given, ...readAppeal(sandbox, before, form) };
  const texts = textFields.map((field) => merged[field] ?? '');
  const appeal = merged.appeal?.card?.reason_for_filing ?? '';
  const letterCount = [...texts, appeal].reduce(
    (count, text) => count + Array.from(text).length,
    0,
  );
  if (letterCount > letterCountMax) {
    throw invalidRequest(
      `The combined character count of all evidence is limited to 150,000 (${letterCount} given).`,
      'evidence',
    );
  }
  return merged;
}

function readAppeal(sandbox: Sandbox, before: Evidence, form: Form): Pick<Evidence, 'appeal'> {
  if (form['appeal'] === undefined) return {};
  const card = readForm(readForm(form, 'appeal'), 'card');
  const reason = readText(card, 'reason_for_filing');
  const files = readList(card, 'supporting_files');
  for (const file of files) requireFile(sandbox, file, 'evidence[appeal][card][supporting_files]');
  const filed = {
    ...before.appeal?.card,
    ...(reason === undefined ? {} : { reason_for_filing: reason }),
    ...(files.length === 0 ? {} : { supporting_files: files }),
  };
  return { appeal: { card: filed } };
}

function requireFile(sandbox: Sandbox, id: string | null | undefined, param: string): void {
  if (id === null || id === undefined) return;
  if (sandbox.store.find('file', id) === undefined) {
    throw invalidRequest(`No such file upload: '${id.slice(0, 60)}'`, param, 'resource_missing');
  }
}
