import { problem, silence } from '../fake-api.ts';
import { FRIEND, history, RECEIPT_SHARE, type Movement } from '../samples/holder.ts';
import { receipt } from '../samples/receipts.ts';
import { FAKE_UUID } from '../session.ts';
import { seen } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

/** One contact for the friend of the samples. */
const contacts = {
  [`contacts:${FAKE_UUID}`]: JSON.stringify([{ alias: 'Ben from work', address: FRIEND }]),
};

/** A send that could be undone, in each state. */
const held = {
  arriving: heldAs(1304, 'arriving'),
  sent: heldAs(1303, 'sent'),
  takenBack: heldAs(1302, 'taken_back'),
  returned: heldAs(1301, 'returned'),
};

function heldAs(id: number, state: 'arriving' | 'sent' | 'taken_back' | 'returned'): Movement {
  return { type: 'Send', data: { ...history.sent.data, id, state } };
}

const historyScreen = statesOf(
  'history',
  { path: '/app/history', storage: contacts },
  {
    filled: { isWhole: true, reach: seen('That is everything.') },
    filters: {
      isWhole: true,
      path: '/app/history?type=Send',
      reach: seen('Search your notes, labels and purchases'),
    },
    'no-match': {
      path: '/app/history?q=nothing',
      answers: { allHistory: () => ({ history: [], next_cursor: null }) },
      reach: seen('No movement matches.'),
    },
    'held-sends': {
      answers: { allHistory: () => ({ history: Object.values(held), next_cursor: null }) },
      reach: seen('That is everything.'),
    },
    'no-contacts': { storage: {}, reach: seen('That is everything.') },
    empty: {
      answers: { allHistory: () => ({ history: [], next_cursor: null }) },
      reach: seen('No movements yet'),
    },
    loading: {
      answers: { allHistory: silence },
      reach: (page) => page.getByRole('status', { name: 'Loading history' }).waitFor(),
    },
    failed: {
      answers: { allHistory: () => problem('forbidden') },
      reach: seen('The history could not be loaded.'),
    },
  },
);

const detail = (item: Movement) => ({
  path: `/app/history/id=${item.data.id}`,
  answers: { historyItem: () => item },
  reach: seen('Status'),
});

const detailScreen = statesOf(
  'history-detail',
  { path: '/app/history/id=5', storage: contacts },
  {
    sent: detail(history.sent),
    arriving: detail(held.arriving),
    'sent-after-its-time': detail(held.sent),
    'taken-back': detail(held.takenBack),
    returned: detail(held.returned),
    'note-edited': {
      ...detail(history.sent),
      isWhole: true,
      reach: async (page) => {
        await page.getByRole('button', { name: 'Change the note' }).click();
        await page.getByRole('textbox', { name: 'Labels' }).waitFor();
      },
    },
    'sent-to-no-contact': { ...detail(history.sent), storage: {} },
    'tip-received': detail(history.tipReceived),
    'purchase-of-two': detail(history.drinks),
    'received-huge-amount': detail(history.received),
    paid: detail(history.paid),
    'payment-failed': detail(history.paymentFailed),
    refunded: detail(history.refunded),
    reward: detail(history.reward),
    purchase: detail(history.purchase),
    loading: {
      answers: { allHistory: silence, historyItem: silence },
      reach: (page) => page.getByRole('status', { name: 'Loading history' }).waitFor(),
    },
    'not-found': {
      answers: { historyItem: () => problem('not_found') },
      reach: seen('This movement was not found.'),
    },
    failed: {
      answers: { historyItem: () => problem('forbidden') },
      reach: seen('could not be loaded'),
    },
  },
);

const press =
  (name: string, text: string): NonNullable<ScreenState['reach']> =>
  async (page) => {
    await page.getByRole('button', { name }).click();
    await page.getByText(text).first().waitFor();
  };

/** Links to this receipt and to others. */
const SHARED = [history.sent, history.received, history.tipReceived];
const SHARES = SHARED.map(({ data }, index) => ({
  ...RECEIPT_SHARE,
  id: `0192f3a1-cccc-7d55-8a31-0b7c2d4f6e1${index}`,
  movement_id: data.id,
  with_names: index === 1,
}));

const receiptScreen = statesOf(
  'receipt',
  {
    path: `/app/history/id=${history.sent.data.id}/receipt`,
    storage: contacts,
    answers: { historyItem: () => history.sent },
  },
  {
    filled: { isWhole: true, reach: seen('Check it') },
    right: { isWhole: true, reach: press('Check it', 'This receipt is right') },
    'day-not-ended': {
      answers: { receipt: () => ({ receipt: { ...receipt, day: null, day_path: null } }) },
      reach: press('Check it', 'up to its signed seal'),
    },
    wrong: {
      answers: { receipt: () => ({ receipt: { ...receipt, leaf: receipt.seal.root } }) },
      reach: press('Check it', 'This receipt is wrong'),
    },
    sealing: {
      answers: { receipt: () => ({ receipt: null }) },
      reach: seen('It is being sealed.'),
    },
    failed: {
      answers: { receipt: () => problem('forbidden') },
      reach: seen('The receipt could not be loaded.'),
    },
    'taken-back': {
      answers: {
        historyItem: () => ({
          ...history.sent,
          data: { ...history.sent.data, state: 'taken_back' as const },
        }),
      },
      reach: seen('Only a send that has arrived'),
    },
    shared: { isWhole: true, reach: press('Make a link', 'This is the link.') },
    'several-links': {
      isWhole: true,
      answers: {
        receiptShares: () => ({ shares: SHARES }),
        historyItem: ({ params }) =>
          SHARED.find(({ data }) => String(data.id) === params['id']) ?? history.sent,
      },
      reach: seen('All your links'),
    },
  },
);

/** The receipt as shown to others. */
const shownToOthers = (names: readonly string[]) => ({
  ...receipt,
  parts: receipt.parts.map((part) =>
    'hash' in part || names.includes(part.name) ? part : { name: part.name, hash: receipt.leaf },
  ),
});

const sharedAnswer = (names: readonly string[]) => ({
  sharedReceipt: () => ({
    receipt: shownToOthers(names),
    expires_at: '2026-12-24T12:00:00.000Z',
  }),
});

const sharedScreen = statesOf(
  'shared-receipt',
  { path: `/receipt#${'k'.repeat(22)}`, isVisitor: true },
  {
    filled: { answers: sharedAnswer(['movement']), reach: seen('Check it') },
    'with-accounts': {
      answers: sharedAnswer(['movement', 'payer']),
      isWhole: true,
      reach: seen('Check it'),
    },
    sealing: {
      answers: { sharedReceipt: () => ({ receipt: null, expires_at: '2026-12-24T12:00:00.000Z' }) },
      reach: seen('It is being sealed.'),
    },
    gone: {
      answers: { sharedReceipt: () => problem('not_found') },
      reach: seen('This link does not work'),
    },
    'not-whole': { path: '/receipt#abc', reach: seen('This link does not work') },
  },
);

export const historyStates: readonly ScreenState[] = [
  ...historyScreen,
  ...detailScreen,
  ...receiptScreen,
  ...sharedScreen,
];
