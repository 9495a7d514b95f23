/** The texts that a sender reads if the ledger refuses a send. */
import type { RefusalWords } from './pay.ts';

export const SEND_WORDS: RefusalWords = {
  nothing: 'Nothing was sent.',
  refusals: {
    insufficient: { advice: 'Send at most your balance.' },
    bad_amount: { advice: 'Send a smaller amount.' },
    key_reused: { advice: 'Use a new key for another recipient, amount or asset.' },
    blocked: { advice: 'Ask support why.' },
    held: { advice: 'Ask support why.' },
    receiver_held: { advice: 'Ask the recipient to contact support.' },
  },
};
