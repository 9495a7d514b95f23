import type { EvidenceFileField } from '@athos/contract/console/evidence';
import type { ColumnType } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';
import type { DisputePhase } from './disputes/dispute-states.ts';

/** `rejected`, `withdrawn` and `expired` refunds were never sent. `refused` means by the provider, `failed` after it had accepted. */
export type RefundState =
  | 'requested'
  | 'approved'
  | 'sending'
  | 'pending'
  | 'succeeded'
  | 'rejected'
  | 'withdrawn'
  | 'expired'
  | 'refused'
  | 'failed';

interface CardOrders {
  id: string;
  user_id: bigint;
  state: WithDefault<'creating' | 'open' | 'credited' | 'canceled' | 'review'>;
  amount_micro_ath: bigint;
  usd_per_ath: string;
  price_usd_cents: bigint;
  product_fee_usd_cents: bigint;
  processing_fee_usd_cents: bigint;
  total_usd_cents: bigint;
  provider_fee_usd_cents: bigint | null;
  intent_id: string | null;
  charge_id: string | null;
  card_brand: WithDefault<string | null>;
  card_last_four: WithDefault<string | null>;
  provider_status: string | null;
  error_message: string | null;
  was_attempted: WithDefault<boolean>;
  observed_at: Date | null;
  look_claimed_at: Date | null;
  review_reason: string | null;
  resolution: 'credited' | 'refunded' | 'settled_elsewhere' | null;
  difference: string | null;
  returned_micro_ath: WithDefault<bigint>;
  returned_price_usd_cents: WithDefault<bigint>;
  returned_product_fee_usd_cents: WithDefault<bigint>;
  returned_processing_fee_usd_cents: WithDefault<bigint>;
  history_id: bigint | null;
  created_at: Date;
  expires_at: Date;
  closed_at: Date | null;
}

interface CardLookSlots {
  slot: number;
  taken_at: Date;
}

interface CardQuotes {
  user_id: bigint;
  key: string;
  body_hash: Buffer;
  order_id: string;
  created_at: Date;
}

interface CardDeclines {
  charge_id: string;
  order_id: string;
  user_id: bigint;
  declined_at: Date;
}

interface CardEvents {
  id: string;
  type: string;
  object_id: string | null;
  intent_id: string | null;
  charge_id: string | null;
  created_at: Date;
  received_at: Date;
  processed_at: Date | null;
}

interface CardEventsListed {
  is_only: WithDefault<boolean>;
  listed_until: Date;
}

interface CardTransactionsListed {
  is_only: WithDefault<boolean>;
  listed_until: Date;
}

interface CardComparisons {
  reach: 'recent' | 'disputable';
  began_at: Date;
  position: Date | null;
}

interface CardRefunds {
  id: string;
  order_id: string;
  user_id: bigint;
  state: RefundState;
  funding: 'order' | 'suspense';
  method: WithDefault<'card' | 'bank'>;
  reference: WithDefault<string | null>;
  is_adopted: WithDefault<boolean>;
  share_micro_ath: bigint;
  taken_micro_ath: bigint;
  price_usd_cents: bigint;
  product_fee_usd_cents: bigint;
  processing_fee_usd_cents: bigint;
  total_usd_cents: bigint;
  reason: string;
  requested_by: string | null;
  provider_refund_id: string | null;
  failure: string | null;
  created_at: Date;
  sent_at: Date | null;
  accepted_at: Date | null;
  closed_at: Date | null;
}

interface CardTransactions {
  id: string;
  type: string;
  source_id: string | null;
  amount_usd_cents: bigint;
  fee_usd_cents: bigint;
  net_usd_cents: bigint;
  created_at: Date;
  listed_at: Date;
  looked_at: WithDefault<Date | null>;
  booking_id: string | null;
  explanation: string | null;
}

interface CardBookings {
  id: string;
  what: 'payment' | 'refund' | 'refund_return' | 'dispute' | 'payout' | 'manual';
  order_id: string | null;
  source_id: string | null;
  amount_usd_cents: bigint;
  fee_usd_cents: WithDefault<bigint>;
  booked_at: Date;
  matched_at: Date | null;
  explanation: string | null;
}

interface CardDays {
  day: ColumnType<Date, string, string>;
  provider_usd_cents: bigint;
  nets_usd_cents: bigint;
  clearing_usd_cents: bigint;
  in_flight_usd_cents: bigint;
  is_agreed: boolean;
  checked_at: Date;
  summed_until: WithDefault<Date | null>;
  summed_usd_cents: WithDefault<bigint | null>;
}

interface CardDisputes {
  id: string;
  provider_dispute_id: string;
  order_id: string;
  user_id: bigint;
  status: string;
  phase: DisputePhase;
  reason: string;
  amount_usd_cents: bigint;
  is_uncredited: boolean;
  withdrawn_usd_cents: WithDefault<bigint>;
  is_lost: WithDefault<boolean>;
  taken_micro_ath: WithDefault<bigint>;
  written_off_micro_ath: WithDefault<bigint>;
  recovered_micro_ath: WithDefault<bigint>;
  recovered_price_usd_cents: WithDefault<bigint>;
  recovered_product_fee_usd_cents: WithDefault<bigint>;
  recovered_processing_fee_usd_cents: WithDefault<bigint>;
  due_at: Date | null;
  submission_count: WithDefault<number>;
  version: WithDefault<number>;
  /** Texts for the bank, by the provider's field names. */
  evidence: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
  evidence_state: WithDefault<'draft' | 'submitting' | 'submitted' | 'refused'>;
  evidence_act: WithDefault<'submit' | 'accept' | null>;
  evidence_key: WithDefault<string | null>;
  evidence_failure: WithDefault<string | null>;
  submitted_at: WithDefault<Date | null>;
  opened_at: Date;
  observed_at: Date;
  created_at: Date;
}

interface CardDisputeMoves {
  key: string;
  dispute_id: string;
}

interface CardEvidenceFiles {
  id: string;
  dispute_id: string;
  field: EvidenceFileField;
  name: string;
  type: string;
  bytes: Buffer;
  provider_file_id: string | null;
}

interface CardDebts {
  id: string;
  dispute_id: string;
  user_id: bigint;
  amount_micro_ath: bigint;
  repaid_micro_ath: bigint;
  written_off_micro_ath: bigint;
  created_at: Date;
  closed_at: Date | null;
}

interface CardWarnings {
  id: string;
  order_id: string;
  user_id: bigint;
  fraud_type: string;
  is_actionable: boolean;
  created_at: Date;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    card_orders: CardOrders;
    card_look_slots: CardLookSlots;
    card_quotes: CardQuotes;
    card_declines: CardDeclines;
    card_events: CardEvents;
    card_events_listed: CardEventsListed;
    card_comparisons: CardComparisons;
    card_refunds: CardRefunds;
    card_transactions: CardTransactions;
    card_transactions_listed: CardTransactionsListed;
    card_bookings: CardBookings;
    card_days: CardDays;
    card_disputes: CardDisputes;
    card_dispute_moves: CardDisputeMoves;
    card_evidence_files: CardEvidenceFiles;
    card_debts: CardDebts;
    card_warnings: CardWarnings;
  }
}
