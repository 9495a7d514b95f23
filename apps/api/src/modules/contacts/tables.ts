interface Contacts {
  user_id: bigint;
  id: string;
  version: number;
  sealed: Buffer | null;
  changed_at: Date;
  deleted_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    contacts: Contacts;
  }
}
