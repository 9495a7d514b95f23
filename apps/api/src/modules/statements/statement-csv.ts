/** A statement for spreadsheets: exact amounts, with the balances as separate lines. */
import type { Statement } from '@athos/contract/wallet/statements';
import { csvFile } from '@athos/domain/csv';
import { exactAthText, formatUsd, tokenUnits, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { KIND_WORDS } from './statement-words.ts';

const amount = (units: string): string => exactAthText(tokenUnits(BigInt(units)));
/** Formats cents without the dollar sign and the commas, which a spreadsheet would take for text. */
const dollars = (cents: number | undefined | null): string =>
  cents === undefined || cents === null
    ? ''
    : formatUsd(usdCents(BigInt(cents))).replaceAll(/[$,]/g, '');

export function statementCsv({ opening, closing, from, to, lines, asset }: Statement): string {
  const balanceLine = (at: string, name: string, balance: string): string[] => {
    const cells = ['', '', at, name, '', '', '', amount(balance), asset];
    return [...cells, '', '', '', '', ''];
  };
  return csvFile(
    [
      m.statements_id(),
      m.statements_receipt(),
      m.statements_time(),
      m.statements_kind(),
      m.statements_title(),
      m.statements_counterparty(),
      m.statements_change(),
      m.statements_balance(),
      m.statements_token(),
      m.statements_usd(),
      m.statements_paid(),
      m.statements_fees(),
      m.statements_note(),
      m.statements_labels(),
    ],
    [
      balanceLine(from, m.statements_opening(), opening),
      ...lines.map((line) => [
        String(line.id),
        line.receipt,
        line.at,
        KIND_WORDS[line.kind](),
        line.title,
        line.counterparty ?? '',
        amount(line.change),
        amount(line.balance_after),
        asset,
        dollars(line.usd_cents),
        dollars(line.card?.paid_cents),
        dollars(line.card?.fee_cents),
        line.note,
        line.labels.join(', '),
      ]),
      balanceLine(to, m.statements_closing(), closing),
    ],
  );
}
