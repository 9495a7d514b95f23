import { timelineSlice, type TimelinePage, type TimelineSource } from '../../capability.ts';
import { selectSentMails } from '../../platform/mail/sent-mails.sql.ts';
import { selectNotes } from './notes.sql.ts';

const rangeOf = ({ limit, position }: TimelinePage) => ({
  beforeId: position === undefined ? undefined : BigInt(position),
  limit: limit + 1,
});

export const noteTimeline: TimelineSource = {
  kinds: ['note'],
  async read(db, page) {
    const rows = await selectNotes(db, page.userId, rangeOf(page));
    return timelineSlice(
      rows.map(({ id, text, writtenAt, staffId, staffName }) => ({
        kind: 'note',
        id: id.toString(),
        at: writtenAt.toISOString(),
        data: { text, staff: { id: staffId, name: staffName } },
      })),
      page,
    );
  },
};

export const mailTimeline: TimelineSource = {
  kinds: ['mail'],
  async read(db, page) {
    const rows = await selectSentMails(db, page.userId, rangeOf(page));
    return timelineSlice(
      rows.map(({ id, template, sentAt }) => ({
        kind: 'mail',
        id: id.toString(),
        at: sentAt.toISOString(),
        data: { template },
      })),
      page,
    );
  },
};
