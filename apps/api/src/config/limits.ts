import { topic, wholeNumber } from './topic.ts';

/** The variable, its default and the most that it may be set to. */
const limit = (variable: string, byDefault: number, max: number) =>
  [variable, wholeNumber(1, max).default(byDefault)] as const;

export const limits = topic(
  {
    /** Wrong passwords of an account before its pauses begin. */
    signInFreeFailures: limit('SIGN_IN_FREE_FAILURES', 5, 1000),
    signInDelayMaxSeconds: limit('SIGN_IN_DELAY_MAX_SECONDS', 60, 3600),
    signInFailuresPerAddressAndHour: limit('SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR', 300, 1_000_000),
    /** Whoever has been signed in for so long proves the password again. */
    sessionDaysMax: limit('SESSION_DAYS_MAX', 30, 365),
    /** Sign-ups and forgotten passwords from one network address, whoever they name. */
    mailRequestsPerAddressAndHour: limit('MAIL_REQUESTS_PER_ADDRESS_AND_HOUR', 2_000, 1_000_000),
    passwordHashesAtOnce: limit('PASSWORD_HASHES_AT_ONCE', 1, 64),
    paymentsPerMinute: limit('PAYMENTS_PER_MINUTE', 20, 10_000),
    paymentsPerHour: limit('PAYMENTS_PER_HOUR', 100, 100_000),
    declinesPerHour: limit('DECLINES_PER_HOUR', 5, 1000),
    /** Scans and redemptions of one member of staff at one process, with a burst of five seconds' worth. */
    scansPerSecond: limit('SCANS_PER_SECOND', 20, 10_000),
    /** Sends of one user at one process, and as many tips, each with a burst of five seconds' worth. */
    sendsPerSecond: limit('SENDS_PER_SECOND', 100, 10_000),
    /** Reward codes that do not exist. Of 2^75 codes even the last of these finds nothing in a lifetime. */
    rewardGuessesPerAccountAndHour: limit('REWARD_GUESSES_PER_ACCOUNT_AND_HOUR', 10, 1_000_000),
    rewardGuessesPerAddressAndHour: limit('REWARD_GUESSES_PER_ADDRESS_AND_HOUR', 300, 1_000_000),
    rewardGuessesPerHour: limit('REWARD_GUESSES_PER_HOUR', 20_000, 1_000_000_000),
  },
  { build: (limits) => limits },
);
