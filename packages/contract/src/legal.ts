/** Parts shared by the wallet's and the console's calls about legal texts. */
import { z } from 'zod';

export const LEGAL_KINDS = ['terms', 'privacy', 'deletion'] as const;
export type LegalKind = (typeof LEGAL_KINDS)[number];

/** The name of a version. */
export const legalLabel = z.string().regex(/^[\w.-]{1,40}$/, 'must be a version such as "1.0"');
