import { timelineSlice, type TimelineSource } from '../../capability.ts';
import { selectScansOfHolder } from './scans.sql.ts';

/** The times and venues at which a customer's codes were scanned. */
export const scanTimeline: TimelineSource = {
  kinds: ['scan'],
  async read(db, page) {
    const { userId, limit, position } = page;
    const beforeId = position === undefined ? undefined : BigInt(position);
    const rows = await selectScansOfHolder(db, userId, { beforeId, limit: limit + 1 });
    return timelineSlice(
      rows.map((row) => ({
        kind: 'scan',
        id: row.id.toString(),
        at: row.at.toISOString(),
        data: {
          action: row.action,
          outcome: row.outcome,
          venue: row.venue,
          item_count: row.item_count,
          redeemed_count: row.redeemed_count,
          titles: row.titles,
        },
      })),
      page,
    );
  },
};
