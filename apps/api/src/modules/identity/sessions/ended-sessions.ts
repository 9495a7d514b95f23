/** Sessions of one user that ended together, and the text with which processes tell each other about them. */

/** All sessions of the user except one that stays open, or the listed sessions. */
export type Ending = { readonly userId: bigint } & (
  { readonly exceptSessionId: string | undefined } | { readonly sessionIds: readonly string[] }
);

export interface EndedSessions {
  readonly userId: bigint;
  readonly includes: (sessionId: string) => boolean;
}

export function endedSessions(ending: Ending): EndedSessions {
  const { userId } = ending;
  if ('sessionIds' in ending) {
    return { userId, includes: (sessionId) => ending.sessionIds.includes(sessionId) };
  }
  return { userId, includes: (sessionId) => sessionId !== ending.exceptSessionId };
}

/** `1 end <ids>` or `1 keep <id>`. PostgreSQL limits it to 8,000 bytes, which is room for 200 ids. */
export const endingText = (ending: Ending): string =>
  'sessionIds' in ending
    ? `${ending.userId} end ${ending.sessionIds.join()}`
    : `${ending.userId} keep ${ending.exceptSessionId ?? ''}`;

/** Returns `undefined` if the text does not come from `endingText`. */
export function readEnding(text: string): Ending | undefined {
  const [, userIdText = '', verb, ids = ''] = /^(\d+) (end|keep) (\S*)$/.exec(text) ?? [];
  if (verb === undefined) return undefined;
  const userId = BigInt(userIdText);
  return verb === 'end'
    ? { userId, sessionIds: ids.split(',') }
    : { userId, exceptSessionId: ids === '' ? undefined : ids };
}
