import { timelineSlice, type TimelineSource } from '../../../capability.ts';
import { selectSignIns } from '../sessions/sessions.sql.ts';

/** Sign-ins in the timeline. Each of them opened a session. */
export const signInTimeline: TimelineSource = {
  kinds: ['sign_in'],
  async read(db, page) {
    const { userId, limit, position } = page;
    const rows = await selectSignIns(db, userId, { beforeId: position, limit: limit + 1 });
    return timelineSlice(
      rows.map(({ id, createdAt, revokedAt }) => ({
        kind: 'sign_in',
        id,
        at: createdAt.toISOString(),
        data: { ended_at: revokedAt?.toISOString() ?? null },
      })),
      page,
    );
  },
};
