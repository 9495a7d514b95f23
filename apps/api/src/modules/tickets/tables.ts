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
  user_id: bigint;
  public_key: Buffer;
  label: string;
  made_at: Date;
  ended_at: Date | null;
}

interface Tickets {
  id: Generated<bigint>;
  phone_id: string;
  purchase_id: bigint;
  ticket: Buffer;
  valid_from: Date;
  valid_until: Date;
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
  }
}
