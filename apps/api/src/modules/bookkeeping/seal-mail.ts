import { brand } from '@athos/brand/brand';
import { formatAthExact, formatUsd, tokenUnits, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { formatMailDate, renderMail } from '../../platform/mail/mail-layout.ts';
import type { SealRow } from './seal.sql.ts';
import type { SealedBalances } from './tables.ts';

type Fact = readonly [label: string, value: string];

const amountText = (balance: string, asset: string): string =>
  asset === 'USD'
    ? formatUsd(usdCents(BigInt(balance)))
    : formatAthExact(tokenUnits(BigInt(balance)));

function balanceFacts({ asset, accounts, customers, sum }: SealedBalances): Fact[] {
  const lines: (readonly [account: string, balance: string])[] = [
    ...accounts.map(({ code, balance }) => [code, balance] as const),
    ...(customers === '0' ? [] : [[m.mail_seal_customers(), customers] as const]),
    [m.mail_seal_sum(), sum],
  ];
  return lines.map(([account, balance]) => [
    m.mail_seal_account({ asset, account }),
    amountText(balance, asset),
  ]);
}

function cardMoneyText({ card_day: day, is_card_agreed: isAgreed }: SealRow): string {
  if (day === null) return m.mail_seal_card_money_never();
  return isAgreed === true
    ? m.mail_seal_card_money_agreed({ day })
    : m.mail_seal_card_money_differs({ day });
}

/** Renders the mail with commands that its reader can paste to verify the books. */
export function renderSealMail(seal: SealRow) {
  const programme = brand.programmeName;
  const ledgerHead = seal.books_head.toString('hex');
  const auditHead = seal.audit_head.toString('hex');
  const isBalanced = seal.balances.every(({ sum }) => sum === '0');
  return renderMail({
    subject: m.mail_seal_subject({ programme, day: seal.day }),
    paragraphs: [
      m.mail_seal_text({ programme }),
      `npm run ledger:verify -- --head ${ledgerHead}`,
      `npm run audit:verify -- --head ${auditHead}`,
    ],
    facts: [
      [m.mail_seal_time(), formatMailDate(seal.sealed_at)],
      [m.mail_seal_ledger_head(), ledgerHead],
      [m.mail_seal_audit_head(), auditHead],
      [m.mail_seal_audit_entries(), seal.audit_seq.toString()],
      [m.mail_seal_card_money(), cardMoneyText(seal)],
      ...seal.balances.flatMap(balanceFacts),
      [
        m.mail_seal_books(),
        isBalanced ? m.mail_seal_books_balanced() : m.mail_seal_books_unbalanced(),
      ],
    ],
  });
}
