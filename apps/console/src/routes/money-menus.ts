/** The menus of card money and of the books. */
import { m } from '@athos/messages/messages';
import BookOpen from 'lucide-react/icons/book-open';
import BookOpenCheck from 'lucide-react/icons/book-open-check';
import CreditCard from 'lucide-react/icons/credit-card';
import Gavel from 'lucide-react/icons/gavel';
import GitCompareArrows from 'lucide-react/icons/git-compare-arrows';
import HandCoins from 'lucide-react/icons/hand-coins';
import Landmark from 'lucide-react/icons/landmark';
import Scale from 'lucide-react/icons/scale';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import Undo2 from 'lucide-react/icons/undo-2';
import { DisputeCount } from '../features/disputes/dispute-count.tsx';
import { ReviewCount } from '../features/payments/review-count.tsx';
import type { GuardedItem } from '../features/shell/ways.ts';
import { paths } from './paths.ts';

export const cardMoney = (): readonly GuardedItem[] => [
  {
    path: paths.payments,
    label: m.payments_title(),
    icon: CreditCard,
    key: 'p',
    permission: 'payments.read',
    Count: ReviewCount,
  },
  {
    path: paths.refunds,
    label: m.payments_refunds_title(),
    icon: Undo2,
    key: 'f',
    permission: 'payments.read',
  },
  {
    path: paths.disputes,
    label: m.disputes_title(),
    icon: Gavel,
    key: 'd',
    permission: 'payments.read',
    Count: DisputeCount,
  },
  {
    path: paths.warnings,
    label: m.disputes_warnings_title(),
    icon: ShieldAlert,
    key: 'w',
    permission: 'payments.read',
  },
  {
    path: paths.debts,
    label: m.disputes_debts_title(),
    icon: HandCoins,
    key: 'i',
    permission: 'payments.read',
  },
  {
    path: paths.reconciliation,
    label: m.reconciliation_title(),
    icon: GitCompareArrows,
    key: 'n',
    permission: 'payments.read',
  },
];

export const books = (): readonly GuardedItem[] => [
  {
    path: paths.ledgerTransfers,
    label: m.ledger_journal_title(),
    icon: BookOpen,
    key: 'j',
    permission: 'ledger.read',
  },
  {
    path: paths.ledgerAccounts,
    label: m.ledger_accounts_title(),
    icon: Landmark,
    key: 'l',
    permission: 'ledger.read',
  },
  {
    path: paths.trialBalance,
    label: m.ledger_trial_title(),
    icon: Scale,
    key: 'b',
    permission: 'ledger.read',
  },
  {
    path: paths.ledgerChain,
    label: m.ledger_chain_title(),
    icon: BookOpenCheck,
    key: 'v',
    permission: 'ledger.read',
  },
];
