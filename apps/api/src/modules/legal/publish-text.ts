/** Publishing a version of a legal text, which the other organisation votes on. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Action } from '../../capability.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import { lockTexts, publishDraft, selectPublished } from './legal.sql.ts';
import { requireDraft } from './edit-drafts.ts';
import { readWhole } from './texts-in-force.ts';

const publishing = z.object({ id: z.int(), in_force_from: z.string().nullable() });

interface PublishDeps {
  readonly clock: Clock;
}

export const publishAction: Action<PublishDeps, z.output<typeof publishing>> = {
  name: 'legal.publish',
  subjectType: 'legal_text',
  permission: 'legal.publish',
  policy: 'legalPolicy',
  unit: 'ATH',
  payload: publishing,
  lock: (_deps, tx) => lockTexts(tx),
  async preview(_deps, tx, { payload: { id, in_force_from: inForceFrom } }) {
    const { kind, label, body, version } = await requireDraft(tx, id);
    const last = (await selectPublished(tx)).findLast((text) => text.kind === kind);
    const before = await readWhole(tx, kind, last);
    return {
      subjectId: String(id),
      // If the draft was edited, or would now follow another text than the one it was compared with, it is not what the voters were shown.
      version: `${version} after ${before.label}`,
      before: { version: before.label },
      after: {
        text: kind,
        version: label,
        in_force_from: inForceFrom,
        characters: body.length,
        sha256: createHash('sha256').update(body).digest('hex'),
      },
    };
  },
  async execute({ clock }, tx, { payload: { id, in_force_from: wanted }, requestedBy }) {
    const at = dateOf(clock);
    // A text cannot come into force before it is published, however long the vote took.
    const inForceFrom = wanted === null || new Date(wanted) < at ? at : new Date(wanted);
    await publishDraft(tx, id, { by: requestedBy.staffId, at, inForceFrom });
  },
};
