import { topic, wholeNumber } from './topic.ts';

/** A limit: its variable, default and maximum. */
const limit = (variable: string, byDefault: number, max: number) =>
  [variable, wholeNumber(1, max).default(byDefault)] as const;

export const limits = topic(
  {
    /** Wrong passwords for an account before delays begin. */
    signInFreeFailures: limit('SIGN_IN_FREE_FAILURES', 5, 1000),
    signInDelayMaxSeconds: limit('SIGN_IN_DELAY_MAX_SECONDS', 60, 3600),
    signInFailuresPerAddressAndHour: limit('SIGN_IN_FAILURES_PER_ADDRESS_AND_HOUR', 300, 1_000_000),
    /** The maximum age of a session, after which the user has to sign in again. */
    sessionDaysMax: limit('SESSION_DAYS_MAX', 30, 365),
    /** Open sessions of an account. The oldest ends when another begins. */
    sessionsPerAccount: limit('SESSIONS_PER_ACCOUNT', 50, 10_000),
    /**
     * Sign-ups and password resets requested from one network address, for any account. Half may come at once, the rest evenly over the
     * hour.
     */
    mailRequestsPerAddressAndHour: limit('MAIL_REQUESTS_PER_ADDRESS_AND_HOUR', 2_000, 1_000_000),
    /** Mails to the owner about sign-ins on new devices. */
    deviceMailsPerAccountAndDay: limit('DEVICE_MAILS_PER_ACCOUNT_AND_DAY', 10, 1000),
    /**
     * Connections of one network place (for IPv6, a /48) and, behind trusted proxies, its requests in progress without a user. The
     * default is a third of what a process holds: the guests of a venue or a mobile network share one address, and each wallet needs up
     * to three.
     */
    connectionsPerAddress: limit('CONNECTIONS_PER_ADDRESS', 5_000, 1_000_000),
    passwordHashesAtOnce: limit('PASSWORD_HASHES_AT_ONCE', 1, 64),
    paymentsPerMinute: limit('PAYMENTS_PER_MINUTE', 20, 10_000),
    paymentsPerHour: limit('PAYMENTS_PER_HOUR', 100, 100_000),
    declinesPerHour: limit('DECLINES_PER_HOUR', 5, 1000),
    /** Scans and redemptions of one staff member per process, with a burst of five seconds' worth. */
    scansPerSecond: limit('SCANS_PER_SECOND', 20, 10_000),
    /** Sends of one user per process, and separately tips, each with a burst of five seconds' worth. */
    sendsPerSecond: limit('SENDS_PER_SECOND', 100, 10_000),
    /** Addresses that one user may look up before a send. */
    recipientLookupsPerMinute: limit('RECIPIENT_LOOKUPS_PER_MINUTE', 30, 10_000),
    recipientLookupsPerDay: limit('RECIPIENT_LOOKUPS_PER_DAY', 300, 1_000_000),
    /** Changes by one user to the contacts that the server keeps. Each change covers up to 100 contacts. */
    contactChangesPerMinute: limit('CONTACT_CHANGES_PER_MINUTE', 30, 10_000),
    /** Attempts with unknown reward codes. With 2^75 possible codes, even the highest of these limits finds none in a lifetime. */
    rewardGuessesPerAccountAndHour: limit('REWARD_GUESSES_PER_ACCOUNT_AND_HOUR', 10, 1_000_000),
    rewardGuessesPerAddressAndHour: limit('REWARD_GUESSES_PER_ADDRESS_AND_HOUR', 300, 1_000_000),
    rewardGuessesPerHour: limit('REWARD_GUESSES_PER_HOUR', 20_000, 1_000_000_000),
  },
  { build: (limits) => limits },
);
