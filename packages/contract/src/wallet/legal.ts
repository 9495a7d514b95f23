/** The legal texts in force, and acceptance of the terms. */
import { z } from 'zod';
import type { Calls } from '../call.ts';
import { LEGAL_KINDS, legalLabel } from '../legal.ts';
import { timeText } from '../values.ts';

const legalText = z
  .object({
    /** The accepted version, such as "2.0". */
    version: z.string(),
    in_force_since: timeText,
    intro: z.string(),
    sections: z.array(z.object({ heading: z.string(), paragraphs: z.array(z.string()) })),
  })
  .meta({ id: 'LegalText' });

export const legalCalls = {
  legalText: {
    method: 'GET',
    path: '/legal/:kind',
    auth: 'anyone',
    summary: 'A legal text as it is in force',
    params: z.object({ kind: z.enum(LEGAL_KINDS) }),
    answer: legalText,
  },
  terms: {
    method: 'GET',
    path: '/account/terms',
    auth: 'user',
    summary: 'Which terms the account has accepted, and whether it must accept others',
    answer: z
      .object({
        accepted_version: z.string().nullable(),
        accepted_at: timeText.nullable(),
        /** The version that must be accepted before value is moved; null if none is. */
        must_accept: z.string().nullable(),
      })
      .meta({ id: 'AcceptedTerms' }),
  },
  acceptTerms: {
    method: 'POST',
    path: '/account/terms',
    auth: 'user',
    summary: 'Accept the terms in force',
    body: z.object({ version: legalLabel }).meta({ id: 'AcceptTerms' }),
    answer: z.object({ version: z.string(), accepted_at: timeText }).meta({ id: 'TermsAccepted' }),
  },
} as const satisfies Calls;
