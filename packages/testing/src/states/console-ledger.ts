import { problem, silence } from '../fake-api.ts';
import { consoleAnswers } from '../samples/console.ts';
import { ledgerChain, ledgerTransfers } from '../samples/console-ledger.ts';
import { see, seen } from '../steps/acts.ts';
import { seeFailure } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const LOOKED_BACK_MS = 86_400_000 * 12;

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const ledgerStates = [
  ...statesOf(
    'console-journal',
    { ...shared, path: '/console/ledger/transfers' },
    {
      filled: { reach: seen('25 of more than 10,000 shown') },
      transfer: {
        path: '/console/ledger/transfers/48209',
        reach: seen('All transfers under this key'),
      },
      short: {
        path: '/console/ledger/transfers?amountMin=9999',
        answers: {
          ledgerTransfers: () =>
            ledgerTransfers({
              items: [],
              count: { value: 0, is_at_least: true },
              looked_until: new Date(Date.now() - LOOKED_BACK_MS).toISOString(),
            }),
        },
        reach: seen('Looked back to'),
      },
      loading: { answers: { ledgerTransfers: silence } },
      empty: {
        answers: {
          ledgerTransfers: () =>
            ledgerTransfers({
              items: [],
              next_cursor: null,
              count: { value: 0, is_at_least: false },
            }),
        },
        reach: seen('Nothing yet'),
      },
      failed: {
        answers: { ledgerTransfers: () => problem('internal_error') },
        reach: seeFailure,
      },
    },
  ),
  ...statesOf(
    'console-ledger',
    { ...shared, path: '/console/ledger/accounts' },
    {
      accounts: { reach: seen('2 accounts below zero') },
      account: { path: '/console/ledger/accounts/-16', reach: seen('Balance after') },
      'trial-balance': { path: '/console/ledger/trial-balance', reach: seen('All customers') },
      chain: { path: '/console/ledger/chain', reach: seen('agree with the chain') },
      seal: {
        path: '/console/ledger/chain',
        async reach(page) {
          await page.locator('summary').first().click();
          await see(page, 'Head of the audit');
        },
      },
      unsealed: {
        path: '/console/ledger/chain',
        answers: {
          ledgerSeals: () => ({
            items: [],
            next_cursor: null,
            count: { value: 0, is_at_least: false },
          }),
        },
        reach: seen('The first day is sealed'),
      },
      'chain-running': {
        path: '/console/ledger/chain',
        answers: {
          ledgerChain: () =>
            ledgerChain({
              state: 'running',
              transfers_done: 17_300,
              finished_at: null,
              head: null,
              account_count: null,
            }),
        },
        reach: seen('17,300 of about 48,210 transfers'),
      },
      'chain-wrong': {
        path: '/console/ledger/chain',
        answers: {
          ledgerChain: () =>
            ledgerChain({
              state: 'wrong',
              fault: { row: 'transfer 31007', reason: 'its hash is not that of its content' },
            }),
        },
        reach: seen('First wrong row: transfer 31007'),
      },
    },
  ),
];
