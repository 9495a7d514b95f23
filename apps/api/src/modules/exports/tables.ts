import type { ColumnType } from 'kysely';
import type { ExportContent, ExportState } from '@athos/contract/console/exports';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Exports {
  id: string;
  staff_id: string;
  content: ExportContent;
  /** The filters of the list, which the job needs in addition. */
  filters: ColumnType<unknown, string, string>;
  user_id: bigint | null;
  state: WithDefault<ExportState>;
  rows_done: WithDefault<bigint>;
  rows_total: bigint | null;
  byte_count: WithDefault<bigint | null>;
  created_at: Date;
  finished_at: WithDefault<Date | null>;
  expires_at: WithDefault<Date | null>;
  link_hash: WithDefault<Buffer | null>;
  link_expires_at: WithDefault<Date | null>;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    exports: Exports;
  }
}
