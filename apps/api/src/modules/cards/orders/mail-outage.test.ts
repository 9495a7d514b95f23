/** Card credits must not wait for mails: a mail server that accepts connections and never answers holds each mail for seconds. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import {
  balanceOf,
  intentIdOf,
  postPayment,
  publishTestRate,
  purchaseBody,
} from '../../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { createTestApp, TEST_ENV, type TestApp } from '../../../../test/test-app.ts';
import { createTasks } from '../../../capabilities.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import { startJobRunner, type JobRunner } from '../../../platform/jobs/job-runner.ts';
import { createMailer } from '../../../platform/mail/mailer.ts';

const MAIL_COUNT = 60;

let sandbox: CardSandbox;
let mailServer: Server;
const sockets: Socket[] = [];
let app: TestApp;
let jobs: JobRunner | undefined;

beforeAll(async () => {
  mailServer = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(mailServer, 'listening');
  sandbox = await startCardSandbox();
  const smtpUrl = `smtp://127.0.0.1:${(mailServer.address() as AddressInfo).port}`;
  app = await createTestApp({
    env: sandbox.env,
    standIns: {
      mailer: createMailer({
        smtpUrl,
        mailFrom: TEST_ENV.MAIL_FROM,
        isProduction: false,
        isRehearsal: false,
      }),
    },
  });
  sandbox.deliverTo(app.app);
  await publishTestRate(app, '0.1683');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  mailServer.close();
  await jobs?.stop();
  await sandbox.close();
  await app.close();
});

it(
  'a payment is credited by its webhook while sixty mails wait for a silent mail server',
  { tags: 'long' },
  async () => {
    const user = await app.createUser();
    for (let count = 0; count < MAIL_COUNT; count += 1) {
      const { userId } = await app.createUser();
      await enqueueJob(app.deps.db, 'auth_mail_password_changed', {
        userId: userId.toString(),
        at: new Date().toISOString(),
      });
    }
    const { body } = await postPayment(app, user, purchaseBody(microAth(100_000_000n)));
    // The schedule is left out, because its reconciliation could credit the payment instead of the webhook.
    jobs = startJobRunner(app.deps, { tasks: createTasks(app.deps), crontab: '' });
    await once(mailServer, 'connection');
    await sandbox.pay(body.client_secret);
    await sandbox.delivery('payment_intent.succeeded', intentIdOf(body.client_secret));
    await expect.poll(() => balanceOf(app, user), { timeout: 10_000 }).toBe('100000000');
  },
);
