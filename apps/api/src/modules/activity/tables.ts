interface MovementNotes {
  user_id: bigint;
  movement_id: bigint;
  sealed: Buffer;
  changed_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    movement_notes: MovementNotes;
  }
}
