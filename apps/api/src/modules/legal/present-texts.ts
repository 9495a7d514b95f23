/** The versions of the legal texts, as the console shows them. */
import { LEGAL_KINDS } from '@athos/contract/legal';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { selectPublished, selectText, selectTexts, type PublishedText } from './legal.sql.ts';
import { readWhole, textInForce } from './texts-in-force.ts';

export interface PresentDeps {
  readonly clock: Clock;
  /** The open requests to publish, by the id of their text. */
  readonly requestsOf: (db: Db | Tx) => Promise<ReadonlyMap<string, string>>;
}

type TextRow = Awaited<ReturnType<typeof selectTexts>>[number];

function stateOf({ id, kind }: TextRow, published: readonly PublishedText[], nowMs: number) {
  const own = published.find((text) => text.id === id);
  if (own === undefined) return 'draft' as const;
  if (own.inForceFrom.getTime() > nowMs) return 'scheduled' as const;
  const isCurrent = textInForce(published, kind, nowMs)?.id === id;
  return isCurrent ? ('current' as const) : ('replaced' as const);
}

interface Around {
  readonly published: readonly PublishedText[];
  readonly requests: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

const present = (row: TextRow, { published, requests, nowMs }: Around) => ({
  id: row.id,
  kind: row.kind,
  label: row.label,
  state: stateOf(row, published, nowMs),
  edited_at: row.editedAt.toISOString(),
  edited_by: row.editedBy,
  published_at: row.publishedAt?.toISOString() ?? null,
  published_by: row.publishedBy,
  in_force_from: row.inForceFrom?.toISOString() ?? null,
  approval_id: requests.get(String(row.id)) ?? null,
});

export async function presentTexts({ clock, requestsOf }: PresentDeps, db: Db) {
  const nowMs = clock.nowMs();
  const published = await selectPublished(db);
  const around = { published, requests: await requestsOf(db), nowMs };
  const inForce = LEGAL_KINDS.map(async (kind) => {
    const whole = await readWhole(db, kind, textInForce(published, kind, nowMs));
    const { id, label, inForceFrom, body } = whole;
    return { kind, id, label, in_force_from: inForceFrom.toISOString(), body };
  });
  return {
    items: (await selectTexts(db)).map((row) => present(row, around)),
    in_force: await Promise.all(inForce),
  };
}

/** A text, with the one that it replaces or would replace. Throws `not_found`. */
export async function presentText({ clock, requestsOf }: PresentDeps, db: Db | Tx, id: number) {
  const row = await selectText(db, id);
  if (row === undefined) throw new AppError('not_found');
  const published = await selectPublished(db);
  const ofKind = published.filter(({ kind }) => kind === row.kind);
  const place = ofKind.findIndex((text) => text.id === id);
  const before = await readWhole(db, row.kind, place === -1 ? ofKind.at(-1) : ofKind[place - 1]);
  const around = { published, requests: await requestsOf(db), nowMs: clock.nowMs() };
  return {
    ...present(row, around),
    body: row.body,
    version: row.version,
    before: { label: before.label, body: before.body },
  };
}
