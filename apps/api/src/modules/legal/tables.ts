import type { GeneratedAlways } from 'kysely';
import type { LegalKind } from '@athos/contract/legal';
import type { WithDefault } from '../../platform/database/tables.ts';

interface LegalTexts {
  id: GeneratedAlways<number>;
  kind: LegalKind;
  label: string;
  body: string;
  version: WithDefault<number>;
  edited_at: Date;
  edited_by: string;
  published_at: Date | null;
  published_by: string | null;
  in_force_from: Date | null;
}

interface TermsAcceptances {
  user_id: bigint;
  label: string;
  accepted_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    legal_texts: LegalTexts;
    terms_acceptances: TermsAcceptances;
  }
}
