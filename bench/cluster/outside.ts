/** The external services of the programme: a mailbox, the card sandbox, and the bucket of pictures and anchors, on their own machine. */
import { join } from 'node:path';
import { Machine, signal, type World } from './machine.ts';
import { addressOf } from './network.ts';

export const OUTSIDE_ADDRESS = addressOf(50);
export const BUCKET_PORT = 9000;
const DEV = join(import.meta.dirname, '../../dev');

export class Outside {
  readonly machine: Machine;
  readonly #folder: string;

  constructor(world: World) {
    this.machine = new Machine(world, 'outside', OUTSIDE_ADDRESS);
    this.#folder = world.folder;
  }

  signalMailbox(name: NodeJS.Signals): void {
    signal(this.machine.pidOf('mailbox'), name);
  }

  signalBucket(name: NodeJS.Signals): void {
    signal(this.machine.pidOf('bucket'), name);
  }

  async start(edgeAddress: string): Promise<void> {
    const { machine } = this;
    await machine.build();
    machine.startOwn({
      name: 'mailbox',
      command: [process.execPath, join(DEV, 'mailbox/src/main.ts')],
      env: {
        MAILBOX_DATA_DIR: join(this.#folder, 'mailbox'),
        MAILBOX_PORT: '8081',
        MAILBOX_SMTP_PORT: '8025',
      },
    });
    machine.startOwn({
      name: 'bucket',
      command: [process.execPath, join(import.meta.dirname, 'bucket-process.ts')],
    });
    machine.startOwn({
      name: 'sandbox',
      command: [process.execPath, join(DEV, 'sandbox/src/main.ts')],
      env: {
        SANDBOX_DATA_DIR: join(this.#folder, 'sandbox'),
        SANDBOX_PORT: '8090',
        SANDBOX_WEBHOOK_URL: 'http://127.0.0.1:8080/api/webhooks/stripe',
        ...SANDBOX_KEYS,
      },
    });
    machine.install(join(import.meta.dirname, 'forwards.cfg'), '/etc/haproxy/forwards.cfg');
    machine.install(join(import.meta.dirname, 'webhooks.cfg'), '/etc/haproxy/webhooks.cfg');
    machine.start({
      name: 'haproxy',
      user: 'nobody',
      command: [
        'haproxy',
        '-db',
        '-f',
        '/etc/haproxy/forwards.cfg',
        '-f',
        '/etc/haproxy/webhooks.cfg',
      ],
      env: { HERE: OUTSIDE_ADDRESS, THERE: '127.0.0.1', EDGE: edgeAddress },
    });
  }
}

const SANDBOX_KEYS = {
  SANDBOX_SECRET_KEY: 'sk_test_bench',
  SANDBOX_PUBLISHABLE_KEY: 'pk_test_bench',
  SANDBOX_WEBHOOK_SECRET: 'whsec_bench',
};
