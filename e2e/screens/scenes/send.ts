import type { Page } from '@playwright/test';
import { press, see, write } from '../acts.ts';
import { BALANCES_HUGE } from '../amounts.ts';
import type { Answers } from '../answers.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const AMOUNT = 'Amount to send';
/** The largest that the contract takes: 16 digits of micro-units. */
const AMOUNT_MAX = '9999999999.999999';
const TO = '0192aaaa-bbbb-7ccc-8ddd-eeeeffff0001';
const contacts = [
  { alias: 'Bo', address: TO },
  {
    alias: 'Maximiliane Freifrau von und zu Hohenstaufen, Concerts',
    address: '0192aaaa-bbbb-7ccc-8ddd-eeeeffff0002',
  },
  { alias: 'Carla', address: '0192aaaa-bbbb-7ccc-8ddd-eeeeffff0003' },
];
const draft = { paymentAmount: '12.5', address: '' };

const recipient = (stage: Stage, withContacts = true): Promise<Page> =>
  stage.member('/app/send/recipient', { draft, ...(withContacts && { contacts }) });

const summary = (stage: Stage, answers: Answers = {}): Promise<Page> =>
  stage.member('/app/send/summary', {
    contacts,
    draft: { ...draft, name: 'Bo', address: TO },
    answers,
  });

const sent = { id: 4711, balance: '100000000' };

export const sendScenes = [
  ...scenesOf('send', {
    empty: async (stage) => see(await stage.member('/app/send'), 'Enter an amount'),
    filled: async (stage) => write(await stage.member('/app/send'), AMOUNT, '12.5'),
    all: async (stage) => press(await stage.member('/app/send'), 'All'),
    'above the balance': async (stage) =>
      write(await stage.member('/app/send'), AMOUNT, '1234567.89'),
    'all of a huge balance': async (stage) =>
      press(await stage.member('/app/send', { answers: { balance: BALANCES_HUGE } }), 'All'),
    '19 digits above the balance': async (stage) =>
      write(await stage.member('/app/send'), AMOUNT, '9223372036854.775807'),
    'tokens open': async (stage) => {
      const page = await stage.member('/app/send');
      await page.getByRole('combobox', { name: 'Token' }).click();
      await page.getByRole('option').first().waitFor();
      return page;
    },
    'balance loading': async (stage) => {
      const page = await stage.member('/app/send', { answers: { balance: 'never' } });
      await page.getByRole('status', { name: 'Athos is starting' }).waitFor();
      // The start waits for the balance no longer than a request may take.
      await page.clock.fastForward(15_000);
      return see(page, 'Amount to send');
    },
  }),
  ...scenesOf('recipient', {
    'no contacts': async (stage) => see(await recipient(stage, false), 'People you save'),
    contacts: async (stage) => see(await recipient(stage), 'Carla'),
    chosen: async (stage) => {
      const page = await recipient(stage);
      await page.getByRole('list', { name: 'Contacts' }).getByRole('button').first().click();
      return page;
    },
    'unknown address': async (stage) =>
      write(await recipient(stage), 'Recipient', '0192ffff-0000-7000-8000-00000000dead'),
    'incomplete address': async (stage) => write(await recipient(stage), 'Recipient', '0192ffff-'),
    'own address': async (stage) => {
      const { uuid } = await stage.account('filled');
      return write(await recipient(stage), 'Recipient', uuid);
    },
    'scan address': async (stage) =>
      see(await press(await recipient(stage), 'Scan Address'), 'Scan an Image File'),
    'add contact': async (stage) => {
      const page = await recipient(stage);
      await write(page, 'Recipient', '0192ffff-0000-7000-8000-00000000dead');
      return press(page, 'ADD CONTACT');
    },
    'delete contact': async (stage) => press(await recipient(stage), 'Delete Carla'),
    deleted: async (stage) => {
      const page = await press(await recipient(stage), 'Delete Carla');
      return see(await press(page, 'Delete'), 'removed from contact list');
    },
  }),
  ...scenesOf('summary', {
    filled: async (stage) => see(await summary(stage), 'Summary'),
    'huge amount': async (stage) =>
      see(
        await stage.member('/app/send/summary', {
          draft: { paymentAmount: AMOUNT_MAX, address: TO },
          answers: { balance: BALANCES_HUGE },
        }),
        'Summary',
      ),
    'another token': async (stage) =>
      see(
        await stage.member('/app/send/summary', {
          draft: { asset: 'ATH2', paymentAmount: '3', address: TO },
        }),
        'Summary',
      ),
    sending: async (stage) => press(await summary(stage, { transfer: 'never' }), 'Send'),
    sent: async (stage) =>
      see(await press(await summary(stage, { transfer: sent }), 'Send'), /^to 0192/),
    'sent, huge amount': async (stage) => {
      const page = await stage.member('/app/send/summary', {
        draft: { paymentAmount: AMOUNT_MAX, address: TO },
        answers: { balance: BALANCES_HUGE, transfer: sent },
      });
      return see(await press(page, 'Send'), /^to 0192/);
    },
    'no such recipient': async (stage) =>
      see(await press(await summary(stage), 'Send'), 'There is no account'),
    'outcome unknown': async (stage) => {
      const page = await summary(stage, { transfer: { problem: 'try_again' } });
      await press(page, 'Send');
      await page.clock.fastForward(30_000);
      return see(page, 'We could not confirm');
    },
    'no amount': async (stage) =>
      see(await stage.member('/app/send/summary'), 'Please enter the amount!'),
  }),
];
