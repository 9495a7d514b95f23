import type { Generated } from 'kysely';

interface CustomerNotes {
  id: Generated<bigint>;
  user_id: bigint;
  staff_id: string;
  text: string;
  written_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    customer_notes: CustomerNotes;
  }
}
