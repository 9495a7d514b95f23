import type { Generated } from 'kysely';
import type { WithDefault } from '../../platform/database/tables.ts';

interface Venues {
  id: Generated<number>;
  name: string;
  address: string;
  hours: WithDefault<string>;
  archived_at: Date | null;
  version: WithDefault<number>;
  created_at: WithDefault<Date>;
}

interface VenueStaff {
  venue_id: number;
  user_id: bigint;
  bound_at: WithDefault<Date>;
  revoked_at: Date | null;
}

interface OfferVenues {
  offer_id: number;
  venue_id: number;
}

interface CodeClaims {
  code_hash: Buffer;
  user_id: bigint;
  venue_id: number;
  claimed_at: Date;
}

interface Redemptions {
  id: Generated<bigint>;
  user_id: bigint;
  key: string;
  request_hash: Buffer;
  venue_id: number;
  answer: unknown;
  created_at: Date;
  device_id: string | null;
}

interface RedemptionReversals {
  redemption_id: bigint;
  item_id: bigint;
  approval_id: string;
  reversed_at: Date;
}

interface Scans {
  id: Generated<bigint>;
  user_id: bigint;
  venue_id: number | null;
  at: Date;
  action: 'scan' | 'redeem';
  outcome: string;
  code_hash: Buffer | null;
  holder_user_id: bigint | null;
  item_count: WithDefault<number>;
  redeemed_count: WithDefault<number>;
  titles: WithDefault<string[]>;
}

interface RefusedScans {
  user_id: bigint;
  hour: Date;
  attempt_count: number;
}

interface ScannerDevices {
  id: string;
  device_hash: Buffer;
  label: string;
  name: string | null;
  venue_id: number | null;
  user_id: bigint | null;
  app_version: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
  last_scan_at: Date | null;
  enrolled_at: Date | null;
  blocked_at: Date | null;
}

interface ScannerSessions {
  session_id: string;
  device_id: string;
}

interface ScannerEnrolments {
  code_hash: Buffer;
  venue_id: number;
  name: string;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
}

interface TicketPhones {
  id: Generated<string>;
  /** This and the key are null after the user is erased. */
  user_id: bigint | null;
  public_key: Buffer | null;
  label: string;
  made_at: Date;
  ended_at: Date | null;
  session_id: string | null;
}

interface Tickets {
  id: Generated<bigint>;
  phone_id: string;
  /** Null after the user is erased. */
  purchase_id: bigint | null;
  ticket: Buffer;
  valid_from: Date;
  valid_until: Date;
}

interface OfflineLogs {
  id: Generated<string>;
  device_id: string;
  public_key: Buffer;
  begun_at: Date;
  last_seq: WithDefault<bigint>;
  last_hash: Buffer | null;
  last_at_ms: WithDefault<bigint>;
  last_sync_at: Date | null;
  suspect_since: Date | null;
  suspect_fault: string | null;
}

interface ScannerGrants {
  log_id: string;
  staff_user_id: bigint;
  venue_id: number;
  granted_from: Date;
  granted_until: Date;
}

interface OfflineEntries {
  log_id: string;
  entry_hash: Buffer;
  seq: bigint;
  state: 'booked' | 'kept' | 'settled' | 'left';
  fault: string | null;
  at_ms: bigint;
  received_at: Date;
  staff_uuid: string;
  venue_id: number;
  previous_hash: Buffer;
  signature: Buffer;
  code: string | null;
  /** An array of bigint is returned as texts. */
  item_ids: string[];
  holder_user_id: bigint | null;
  redemption_id: bigint | null;
  outcomes: unknown;
}

interface RedemptionConflicts {
  id: Generated<bigint>;
  item_id: bigint;
  first_redemption_id: bigint;
  first_at: Date;
  log_id: string;
  entry_hash: Buffer;
  at: Date;
  venue_id: number;
  staff_user_id: bigint;
  holder_user_id: bigint | null;
  value_ath_hundredths: number;
  made_at: Date;
  state: WithDefault<'open' | 'written_off' | 'explained'>;
  words: string | null;
  resolved_by: string | null;
  resolved_at: Date | null;
}

/** The tables of this capability, for the query builder. */
declare module '../../platform/database/tables.ts' {
  interface Tables {
    venues: Venues;
    venue_staff: VenueStaff;
    offer_venues: OfferVenues;
    code_claims: CodeClaims;
    redemptions: Redemptions;
    redemption_reversals: RedemptionReversals;
    scans: Scans;
    refused_scans: RefusedScans;
    scanner_devices: ScannerDevices;
    scanner_sessions: ScannerSessions;
    scanner_enrolments: ScannerEnrolments;
    ticket_phones: TicketPhones;
    tickets: Tickets;
    offline_logs: OfflineLogs;
    scanner_grants: ScannerGrants;
    offline_entries: OfflineEntries;
    redemption_conflicts: RedemptionConflicts;
  }
}
