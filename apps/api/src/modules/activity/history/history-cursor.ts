import { AppError } from '../../../platform/errors.ts';

/** The position of the next page: in the ledger's lists, and among the lines without a transfer, which are stored elsewhere. */
export interface HistoryPosition {
  /** The ledger's own cursor; `undefined` starts at the newest transfer. */
  readonly ledger: string | undefined;
  readonly isLedgerAtEnd: boolean;
  readonly unpostedBeforeId: bigint | undefined;
}

export const NEWEST: HistoryPosition = {
  ledger: undefined,
  isLedgerAtEnd: false,
  unpostedBeforeId: undefined,
};

const PATTERN = /^(start|end|[\d.]{1,80})~(\d{1,18})?$/;

export function cursorText({ ledger, isLedgerAtEnd, unpostedBeforeId }: HistoryPosition): string {
  return `${isLedgerAtEnd ? 'end' : (ledger ?? 'start')}~${unpostedBeforeId ?? ''}`;
}

/** Throws `invalid_request` for a text that does not come from `cursorText`. */
export function parseCursor(text: string): HistoryPosition {
  const match = PATTERN.exec(text);
  if (match === null)
    throw new AppError('invalid_request', { detail: 'Send next_cursor of the page before.' });
  const [, ledger = 'end', beforeId] = match;
  return {
    ledger: ledger === 'end' || ledger === 'start' ? undefined : ledger,
    isLedgerAtEnd: ledger === 'end',
    unpostedBeforeId: beforeId === undefined ? undefined : BigInt(beforeId),
  };
}
