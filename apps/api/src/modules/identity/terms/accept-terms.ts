/** Accepting the terms in force. */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AcceptedTerms } from '../../../platform/http/endpoint.ts';
import {
  hasAccepted,
  insertAcceptance,
  labelInForce,
  selectPublished,
  textInForce,
  type ReadLegalTexts,
} from '../../legal/index.ts';
import { lockTerms, selectTerms, updateTerms } from '../users.sql.ts';

interface TermsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly legalTexts: ReadLegalTexts;
}

export async function readTerms({ db, clock, legalTexts }: TermsDeps, userId: bigint) {
  const terms = await selectTerms(db, userId);
  const inForce = textInForce(await legalTexts(), 'terms', clock.nowMs());
  return {
    accepted_version: terms.version,
    accepted_at: terms.acceptedAt?.toISOString() ?? null,
    must_accept: inForce === undefined || hasAccepted(terms, inForce) ? null : inForce.label,
  };
}

/**
 * Records that the account accepts `version`. A repeated acceptance keeps the time of the first one. Throws `terms_changed` for any
 * version but the one in force.
 */
export async function acceptTerms(
  { db, clock }: Pick<TermsDeps, 'db' | 'clock'>,
  userId: bigint,
  version: string,
): Promise<{ readonly version: string; readonly acceptedAt: Date }> {
  return db.transaction().execute(async (tx) => {
    const before: AcceptedTerms = await lockTerms(tx, userId);
    const now = dateOf(clock);
    const texts = await selectPublished(tx);
    const inForce = textInForce(texts, 'terms', now.getTime());
    const label = labelInForce(texts, 'terms', now.getTime());
    if (version !== label) {
      throw new AppError('terms_changed', {
        detail: `Version ${label} is in force. Read it first.`,
      });
    }
    const isKnown = inForce === undefined ? before.version === label : hasAccepted(before, inForce);
    if (isKnown && before.acceptedAt !== null) return { version, acceptedAt: before.acceptedAt };
    await insertAcceptance(tx, userId, { label: version, at: now });
    await updateTerms(tx, userId, { version, acceptedAt: now });
    return { version, acceptedAt: now };
  });
}
