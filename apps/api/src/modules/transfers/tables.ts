import type { TokenAsset } from '@athos/domain/money';
import type { WithDefault } from '../../platform/database/tables.ts';

interface SendHolds {
  id: string;
  sender_id: bigint;
  recipient_id: bigint;
  asset: TokenAsset;
  amount_units: bigint;
  key: string;
  undo_seconds: number;
  is_first_time: boolean | null;
  state: WithDefault<'held' | 'posted' | 'taken_back' | 'returned'>;
  reason: 'recipient_closed' | 'recipient_held' | 'sender_stopped' | 'by_staff' | null;
  made_at: Date;
  post_at: Date;
  settled_at: Date | null;
}

interface SendPairs {
  sender_id: bigint;
  recipient_id: bigint;
  first_at: Date;
  last_at: Date;
  send_count: number;
}

interface SendPairsPlace {
  is_only: WithDefault<boolean>;
  last_transfer_id: bigint;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    send_holds: SendHolds;
    send_pairs: SendPairs;
    send_pairs_place: SendPairsPlace;
  }
}
