/** The events of the few people with a story, and the acts of support for others. */
import { refreshWarning } from '../../modules/cards/index.ts';
import { invariant } from '../../platform/errors.ts';
import type { CastMember, DisputeStory } from './cast.ts';
import type { AskConsole } from './console.ts';
import type { Event } from './staff-acts.ts';
import { pastKey, runJobs, runTask, userOf, type World } from './world.ts';

const ath = (whole: number): string => `${whole}000000`;

/** The last payment of a person. */
function paymentOf({ orders, lastOrders }: World, { person }: CastMember) {
  const payment = orders.get(lastOrders.get(person.index) ?? 0);
  invariant(payment !== undefined, 'a story begins with a payment');
  return payment;
}

function disputeEvents(world: World, member: CastMember, story: DisputeStory): readonly Event[] {
  const { bank } = world;
  let disputeId = '';
  const look = () => runTask(world, 'dispute_look', { disputeId });
  const opened: Event = {
    at: story.opened,
    run: async () => {
      disputeId = bank.openDispute(paymentOf(world, member).intentId, story);
      await look();
    },
  };
  const answered: Event = {
    at: story.answered ?? Infinity,
    run: async () => {
      bank.answerDispute(disputeId);
      await look();
    },
  };
  const ended: Event = {
    at: story.ended ?? Infinity,
    run: async () => {
      bank.decideDispute(disputeId);
      await look();
    },
  };
  return [opened, answered, ended];
}

/** A warning of the bank, and the refund with which finance responds. */
function warningEvents(world: World, ask: AskConsole, member: CastMember): readonly Event[] {
  let warningId = '';
  const look = () => refreshWarning(world.deps, warningId);
  const warned: Event = {
    at: member.warning ?? Infinity,
    run: async () => {
      warningId = world.bank.warn(paymentOf(world, member).intentId);
      await look();
    },
  };
  const refunded: Event = {
    at: member.refunded ?? Infinity,
    run: async () => {
      await ask('finance', 'refundPayment', {
        params: { id: paymentOf(world, member).orderId },
        body: { is_at_cost: false, reason: 'The bank warned of a stolen card' },
      });
      await runJobs(world);
      await runTask(world, 'card_transactions_list');
      await look();
    },
  };
  return [warned, refunded];
}

export const castEvents = (
  world: World,
  ask: AskConsole,
  cast: readonly CastMember[],
): readonly Event[] =>
  cast.flatMap((member): readonly Event[] => {
    const { person, dispute, hold } = member;
    const params = () => ({ uuid: userOf(world, person.index).userUuid });
    return [
      ...(dispute === undefined ? [] : disputeEvents(world, member, dispute)),
      ...warningEvents(world, ask, member),
      {
        at: hold ?? Infinity,
        run: () =>
          ask('support', 'placeHold', {
            params: params(),
            body: { kinds: ['send', 'spend'], reason: 'Says that the telephone was stolen' },
          }),
      },
    ];
  });

const byNumber = (one: number, other: number): number => one - other;

const NOTES = [
  'Called about a code that would not scan. The screen was too dark; it worked at full brightness.',
  'Asked whether tokens expire. They do not.',
  'Wants to bring twelve people in December. Passed on to the venue.',
  'Lost a glass at the counter, very sorry. Told not to worry.',
];

/** Credits, notes and exports by support and finance, for customers without a story of their own. */
export function supportEvents(
  world: World,
  ask: AskConsole,
  cast: readonly CastMember[],
): readonly Event[] {
  const hasStory = (index: number) => cast.some(({ person }) => person.index === index);
  const paramsOf = (count: number) => {
    const people = [...world.users.keys()].filter((index) => !hasStory(index)).toSorted(byNumber);
    const person = people[count % people.length];
    invariant(person !== undefined, 'somebody has an account');
    return { uuid: userOf(world, person).userUuid };
  };
  const credit = (index: number, amount: number, reason: string, key: string) =>
    ask('support', 'creditCustomer', {
      params: paramsOf(index),
      body: { amount: ath(amount), reason },
      key: pastKey(world, key),
    });
  const of = (key: string) => ({ params: { id: pastKey(world, key) } });
  const exportList = (list: 'payments' | 'purchases' | 'refunds') => () =>
    ask('finance', 'exportList', { body: { list, filters: {} } });
  return [
    {
      at: 0.3,
      run: () =>
        ask('finance', 'fundGoodwill', {
          body: { amount: ath(4_000), reason: 'Goodwill for the quarter' },
          key: pastKey(world, 'goodwill'),
        }),
    },
    { at: 0.31, run: () => ask('provider_owner', 'approveRequest', of('goodwill')) },
    { at: 0.4, run: () => credit(0, 20, 'The concert began an hour late', 'credit 1') },
    { at: 0.52, run: () => credit(1, 35, 'Charged twice at the counter', 'credit 2') },
    { at: 0.66, run: () => credit(2, 15, 'Waited for the wrong bottle', 'credit 3') },
    { at: 0.68, run: () => credit(3, 120, 'Missed the ferry after the festival', 'credit 4') },
    {
      at: 0.685,
      run: () =>
        ask('finance', 'rejectRequest', {
          ...of('credit 4'),
          body: { reason: 'The festival was not ours, sorry' },
        }),
    },
    { at: 0.8, run: () => credit(4, 90, 'Two tickets for a cancelled night', 'credit 5') },
    { at: 0.805, run: () => ask('support', 'withdrawRequest', of('credit 5')) },
    ...NOTES.map((text, index) => ({
      at: 0.5 + index * 0.11,
      run: () => ask('support', 'addNote', { params: paramsOf(index), body: { text } }),
    })),
    { at: 0.992, run: () => credit(5, 150, 'The lap was called off in the rain', 'credit 6') },
    { at: 0.986, run: exportList('payments') },
    { at: 0.99, run: exportList('purchases') },
    { at: 0.995, run: exportList('refunds') },
    {
      at: 0.996,
      run: () => ask('provider_owner', 'exportList', { body: { list: 'audit', filters: {} } }),
    },
  ];
}
