/** The meaning of each refusal of a whole code, and what to do about it. Used by the panel and by the lists. */
import type { ErrorCode } from '@athos/contract/errors';
import { m } from '@athos/messages/messages';

export interface RefusalText {
  readonly title: string;
  readonly advice: string;
  /** The advice is to choose a venue. */
  readonly isAboutVenue?: true;
}

const TEXTS: Partial<Record<ErrorCode, (notice: string) => RefusalText>> = {
  unreadable_code: () => ({
    title: m.scanner_app_refusal_unreadable_code(),
    advice: m.scanner_app_refusal_unreadable_code_do(),
  }),
  wrong_code_kind: () => ({
    title: m.scanner_app_refusal_wrong_code_kind(),
    advice: m.scanner_app_refusal_wrong_code_kind_do(),
  }),
  invalid_signature: () => ({
    title: m.scanner_app_refusal_invalid_signature(),
    advice: m.scanner_app_refusal_invalid_signature_do(),
  }),
  code_expired: () => ({
    title: m.scanner_app_refusal_code_expired(),
    advice: m.scanner_app_refusal_code_expired_do(),
  }),
  ticket_ended: () => ({
    title: m.scanner_app_refusal_ticket_ended(),
    advice: m.scanner_app_refusal_ticket_ended_do(),
  }),
  code_from_future: () => ({
    title: m.scanner_app_refusal_code_from_future(),
    advice: m.scanner_app_refusal_code_from_future_do(),
  }),
  code_replayed: () => ({
    title: m.scanner_app_refusal_code_replayed(),
    advice: m.scanner_app_refusal_code_replayed_do(),
  }),
  foreign_venue: () => ({
    title: m.scanner_app_refusal_foreign_venue(),
    advice: m.scanner_app_refusal_foreign_venue_do(),
    isAboutVenue: true,
  }),
  venue_required: () => ({
    title: m.scanner_app_refusal_venue_required(),
    advice: m.scanner_app_refusal_venue_required_do(),
    isAboutVenue: true,
  }),
  account_restricted: () => ({
    title: m.scanner_app_refusal_account_restricted(),
    advice: m.scanner_app_refusal_account_restricted_do(),
  }),
  stopped: (notice) => ({
    title: m.scanner_app_refusal_stopped(),
    advice:
      notice === ''
        ? m.scanner_app_refusal_stopped_do()
        : m.scanner_app_refusal_stopped_notice({ notice }),
  }),
  too_many_requests: tooMany,
  too_many_attempts: tooMany,
  internal_error: serverFault,
  overloaded: serverFault,
  try_again: serverFault,
};

function tooMany(): RefusalText {
  return { title: m.scanner_app_refusal_too_many(), advice: m.scanner_app_refusal_too_many_do() };
}

function serverFault(): RefusalText {
  return { title: m.scanner_app_refusal_server(), advice: m.scanner_app_refusal_server_do() };
}

/**
 * `code` is `undefined` if the response was not the API's, such as a proxy's page. `notice`: the programme's notice about what it has
 * stopped; empty if unknown.
 */
export function refusalText(code: ErrorCode | undefined, notice = ''): RefusalText {
  const words = code === undefined ? undefined : TEXTS[code];
  return (
    words?.(notice) ?? {
      title: m.scanner_app_refusal_other(),
      advice: m.scanner_app_refusal_other_do(),
    }
  );
}
