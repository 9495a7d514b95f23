/** Exports movements to a file for spreadsheets: exact amounts, times in UTC. */
import { csvFile } from '@athos/domain/csv';
import { exactAthText, formatUsd, type UsdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { Movement } from '../../api/history.ts';
import { noteOf, type MovementNote } from '../../api/movement-notes.ts';
import type { Contact } from '../../state/contacts.ts';
import { directionOf, statusLabel, subjectOf, symbolOf, typeLabel } from './movement.ts';

/** Without dollar sign and commas, because a spreadsheet would treat the value as text. */
const usdText = (cents: UsdCents): string => formatUsd(cents).replaceAll(/[$,]/g, '');

function lineOf(
  movement: Movement,
  contacts: readonly Contact[],
  { note, labels }: MovementNote,
): readonly string[] {
  const units = movement.kind === 'purchase' ? movement.priceMicroAth : movement.amountUnits;
  const amount = exactAthText(units);
  const direction = directionOf(movement);
  const isPayment = movement.kind === 'payment';
  return [
    String(movement.id),
    movement.at,
    typeLabel(movement),
    subjectOf(movement, contacts),
    ('counterpartyUuid' in movement && movement.counterpartyUuid) || '',
    statusLabel(movement),
    amount,
    direction === '' ? '0' : `${direction === '-' ? '-' : ''}${amount}`,
    symbolOf(movement),
    isPayment ? usdText(movement.totalUsdCents) : '',
    isPayment ? usdText(movement.feesUsdCents) : '',
    movement.kind === 'receive' ? (movement.tip?.note ?? '') : '',
    note,
    labels.join(', '),
  ];
}

export const historyFile = (
  movements: readonly Movement[],
  contacts: readonly Contact[],
  notes: ReadonlyMap<number, MovementNote>,
): string =>
  csvFile(
    [
      m.history_id(),
      m.history_file_time(),
      m.history_file_type(),
      m.history_file_subject(),
      m.history_file_account(),
      m.history_status(),
      m.history_receipt_amount(),
      m.history_file_change(),
      m.history_file_token(),
      m.history_file_paid(),
      m.history_file_fees(),
      m.history_note(),
      m.history_file_own_note(),
      m.history_file_labels(),
    ],
    movements.map((movement) => lineOf(movement, contacts, noteOf(notes, movement.id))),
  );
