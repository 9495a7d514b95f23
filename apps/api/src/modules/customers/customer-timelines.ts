import {
  timelineSlice,
  type Contributions,
  type TimelinePage,
  type TimelineSource,
} from '../../capability.ts';
import type { Ledger } from '../../ledger/index.ts';
import { selectSentMails } from '../../platform/mail/sent-mails.sql.ts';
import { createHistoryTimeline } from '../activity/index.ts';
import { selectNotes } from './notes.sql.ts';

const rangeOf = ({ limit, position }: TimelinePage) => ({
  beforeId: position === undefined ? undefined : BigInt(position),
  limit: limit + 1,
});

const noteTimeline: TimelineSource = {
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

const mailTimeline: TimelineSource = {
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

export interface TimelineDeps extends Pick<
  Contributions,
  'historySources' | 'timelineSources' | 'transferObjects'
> {
  readonly ledger: Ledger;
}

/** The sources of all capabilities in a fixed order, because cursors refer to a source by its index. */
export const createCustomerTimeline = (deps: TimelineDeps): TimelineSource[] => [
  createHistoryTimeline(deps),
  mailTimeline,
  noteTimeline,
  ...deps.timelineSources,
];
