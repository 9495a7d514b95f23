/**
 * Which legal texts are in force. Until staff publish one, the texts built into the brand are in force, and nobody has to accept anything
 * again.
 */
import { legal as builtIn } from '@athos/brand/legal';
import type { LegalKind } from '@athos/contract/legal';
import { readLegalText, writeLegalText, type LegalContent } from '@athos/domain/legal-text';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { createRemembered } from '../../platform/database/remembered.ts';
import type { AcceptedTerms } from '../../platform/http/endpoint.ts';
import { LEGAL_CHANGED, selectBody, selectPublished, type PublishedText } from './legal.sql.ts';

/** The texts that staff have published, in the order in which they come into force. Remembered by the process. */
export type ReadLegalTexts = () => Promise<readonly PublishedText[]>;

export const createReadLegalTexts = ({
  db,
  notifications,
}: {
  readonly db: Db;
  readonly notifications: Notifications;
}): ReadLegalTexts =>
  createRemembered({ notifications, channel: LEGAL_CHANGED, read: () => selectPublished(db) });

/** The published text in force; `undefined` while the built-in text is in force. */
export const textInForce = (
  texts: readonly PublishedText[],
  kind: LegalKind,
  nowMs: number,
): PublishedText | undefined =>
  texts.findLast((text) => text.kind === kind && text.inForceFrom.getTime() <= nowMs);

export const labelInForce = (
  texts: readonly PublishedText[],
  kind: LegalKind,
  nowMs: number,
): string => textInForce(texts, kind, nowMs)?.label ?? builtIn[kind].version;

/** Accepting a version before it came into force does not count, because it was not yet shown as the version in force. */
export const hasAccepted = (
  { version, acceptedAt }: AcceptedTerms,
  { label, inForceFrom }: PublishedText,
): boolean => version === label && acceptedAt !== null && acceptedAt >= inForceFrom;

/** A text with its contents. */
export interface WholeText {
  readonly id: number | null;
  readonly label: string;
  readonly inForceFrom: Date;
  readonly body: string;
}

const builtInText = (kind: LegalKind): WholeText => ({
  id: null,
  label: builtIn[kind].version,
  inForceFrom: new Date(builtIn[kind].inForceSince),
  body: writeLegalText(builtIn[kind]),
});

/** A published text, or the built-in one of its kind. */
export async function readWhole(
  db: Db | Tx,
  kind: LegalKind,
  text: PublishedText | undefined,
): Promise<WholeText> {
  if (text === undefined) return builtInText(kind);
  const { id, label, inForceFrom } = text;
  return { id, label, inForceFrom, body: await selectBody(db, id) };
}

export const contentOf = ({ body }: WholeText): LegalContent => readLegalText(body);
export const isBuiltInLabel = (kind: LegalKind, label: string): boolean =>
  builtIn[kind].version === label;
