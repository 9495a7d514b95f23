import { problem, silence } from '../fake-api.ts';
import { purchase, PURCHASE_ID, REDEMPTION_ID } from '../samples/console-purchases.ts';
import { consoleAnswers, staffWith } from '../samples/console.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { emptyList, seeFailure, seeMissing } from './console-lists.ts';
import { statesOf } from './screen-state.ts';

const shared = {
  isVisitor: true,
  answers: consoleAnswers,
  widths: [390, 768, 1440],
} as const;

export const consolePurchaseStates = [
  ...statesOf(
    'console-purchases',
    { ...shared, path: '/console/purchases' },
    {
      filled: { reach: seen('4 of 4 shown') },
      empty: { answers: { purchases: emptyList }, reach: seen('Nothing yet') },
      loading: { answers: { purchases: silence } },
      failed: { answers: { purchases: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-purchase',
    { ...shared, path: `/console/purchases/${PURCHASE_ID}` },
    {
      filled: { reach: seen(/Ordered one too many/) },
      refund: {
        async reach(page) {
          await press(page, 'Refund');
          await page.getByRole('dialog', { name: 'Refund items' }).waitFor();
          await write(page, 'Amber Fizz, 0.33 l', '0');
          await see(page, /6 items can no longer be redeemed/);
        },
      },
      'refund-onward': {
        async reach(page) {
          await press(page, 'Refund');
          await page.getByLabel('And on to the card').selectOption({ index: 1 });
        },
      },
      'handed-out': {
        async reach(page) {
          await press(page, 'Actions');
          await page.getByRole('menuitem', { name: 'Refund goods handed out' }).click();
          await see(page, /items that the customer keeps/);
        },
      },
      support: {
        answers: { me: () => staffWith(['support']) },
        async reach(page) {
          await press(page, 'Actions');
          await see(page, /Needs the permission purchases.refund_redeemed/);
        },
      },
      closed: {
        answers: {
          purchaseDetail: () => purchase({ is_customer_closed: true, refunds: [] }),
        },
        reach: seen('The customer’s account is closed.'),
      },
      missing: {
        answers: { purchaseDetail: () => problem('not_found') },
        reach: seeMissing,
      },
    },
  ),
  ...statesOf(
    'console-redemptions',
    { ...shared, path: '/console/redemptions' },
    {
      filled: { reach: seen('3 of 3 shown') },
      empty: {
        answers: { redemptions: () => ({ ...emptyList(), looked_until: null }) },
        reach: seen('Nothing yet'),
      },
      loading: { answers: { redemptions: silence } },
      failed: { answers: { redemptions: () => problem('internal_error') }, reach: seeFailure },
    },
  ),
  ...statesOf(
    'console-redemption',
    { ...shared, path: `/console/redemptions/${REDEMPTION_ID}` },
    {
      filled: { reach: seen('The guest had taken two drinks, not three.') },
      reverse: {
        async reach(page) {
          await press(page, 'Reverse');
          await page.getByRole('dialog', { name: 'Reverse a redemption' }).waitFor();
          await write(page, 'Reason', 'The wrong guest was scanned.');
        },
      },
    },
  ),
];
