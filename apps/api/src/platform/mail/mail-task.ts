import type { Task } from 'graphile-worker';
import type { Log } from '../log/log.ts';
import { MailRefusedError } from './mailer.ts';

/** A job that sends a mail. It ends if the mail server refuses the mail permanently; any other failure is retried. */
export const mailTask =
  (log: Log, send: (payload: unknown, priority: number) => Promise<void>): Task =>
  async (payload, { job }) => {
    try {
      await send(payload, job.priority);
    } catch (error) {
      if (!(error instanceof MailRefusedError)) throw error;
      log.warn('the mail server refused a mail permanently');
    }
  };
