import { m } from '@athos/messages/messages';
import { Tabs } from '../../kit/tabs.tsx';
import { paths } from '../../routes/paths.ts';

const TABS = [
  { path: paths.reconciliation, title: m.reconciliation_tab_days },
  { path: paths.unmatchedMoney, title: m.reconciliation_tab_unmatched },
  { path: paths.cardTransactions, title: m.reconciliation_tab_transactions },
];

export const ReconciliationTabs = ({ path }: { path: string }) => (
  <Tabs
    label={m.reconciliation_title()}
    tabs={TABS.map((tab) => ({
      label: tab.title(),
      to: tab.path,
      isCurrent: tab.path === path,
    }))}
  />
);
