import { athHundredths, microAthFromHundredths } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { auditSentence } from '../../kit/audit-sentences.ts';
import { Badge } from '../../kit/badge.tsx';
import { MAIL_WORDS } from '../../kit/mail-words.ts';
import { Money } from '../../kit/money.tsx';
import { outcomeTitle } from '../../kit/scan-words.ts';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { OUTCOME_TITLES, OUTCOME_TONES } from '../../kit/outcomes.ts';
import { Time } from '../../kit/time.tsx';
import type { TimelineEntry } from '../../kit/timeline.tsx';

type Entry = RowOf<'customerTimeline'>;
type Reason = NonNullable<Moved['data']['reason']>;
type Words = Pick<TimelineEntry, 'title' | 'text' | 'trailing'>;

/** One entry of the timeline. */
export const timelineEntry = (entry: Entry): TimelineEntry => ({
  key: `${entry.kind} ${entry.id}`,
  at: entry.at,
  ...wordsOf(entry),
});

function wordsOf(entry: Entry): Words {
  switch (entry.kind) {
    case 'movement':
    case 'payment':
    case 'purchase':
      return withObject(historyWords(entry.data), entry.object);
    case 'sign_in':
      return {
        title: m.customers_event_sign_in(),
        text: entry.data.endedAt !== null && (
          <>
            {m.customers_event_sign_in_ended()} <Time at={entry.data.endedAt} />
          </>
        ),
      };
    case 'scan':
      return scanWords(entry.data);
    case 'terms':
      return { title: m.customers_event_terms({ version: entry.data.version }) };
    case 'mail':
      return {
        title: m.customers_event_mail({ template: MAIL_WORDS[entry.data.template]() }),
      };
    case 'note':
      return {
        title: <span className="whitespace-pre-wrap">{entry.data.text}</span>,
        text: entry.data.staff?.name ?? m.customers_note_nobody(),
        trailing: <Badge>{m.customers_note()}</Badge>,
      };
    case 'staff':
      return {
        title: auditSentence(entry.data.action),
        text: entry.data.staff?.name ?? m.customers_note_nobody(),
        // The sentence names the action, so a badge must say if it was not done.
        trailing: entry.data.outcome !== 'done' && (
          <Badge tone={OUTCOME_TONES[entry.data.outcome]}>
            {OUTCOME_TITLES[entry.data.outcome]()}
          </Badge>
        ),
      };
  }
}

type Moving = Extract<Entry, { kind: 'movement' }>;
type Item = Moving['data'];
type Moved = Extract<Item, { type: 'Send' | 'Receive' | 'Reward' }>;
type Sent = Extract<Item, { type: 'Send' }>;

/** Adds a link to the object that caused it. */
function withObject(words: Words, object: Moving['object']): Words {
  if (object === null) return words;
  return {
    ...words,
    text: (
      <span className="flex flex-wrap gap-x-3">
        {words.text}
        <SubjectLink type={object.type} id={object.id} />
      </span>
    ),
  };
}

/** Movements of the account, in the words of the customer's own history. */
function historyWords(item: Item): Words {
  switch (item.type) {
    case 'Send':
    case 'Receive':
    case 'Reward':
      return movedWords(item);
    case 'Payment': {
      const price = <Money units={String(item.data.amountPaid)} asset="USD" />;
      return {
        title: (
          <>
            {item.data.stripeStatus === 1
              ? m.customers_event_payment()
              : m.customers_event_payment_open()}{' '}
            {price}
          </>
        ),
        trailing: <Money units={item.data.tokenAmount} asset="ATH" isMovement />,
      };
    }
    case 'Purchase': {
      const { offer, offerCount, offerAmount } = item.data;
      return {
        title: m.customers_event_purchase({ count: offerCount, title: offer.title }),
        trailing: (
          <Money
            units={`-${microAthFromHundredths(athHundredths(offerAmount))}`}
            asset="ATH"
            isMovement
          />
        ),
      };
    }
  }
}

const REASON_TITLES: Readonly<Record<Reason, () => string>> = {
  refund_to_card: m.customers_reason_refund_to_card,
  refund_by_bank: m.customers_reason_refund_by_bank,
  refund_returned: m.customers_reason_refund_returned,
  purchase_refund: m.customers_reason_purchase_refund,
  chargeback: m.customers_reason_chargeback,
  chargeback_returned: m.customers_reason_chargeback_returned,
  adjustment: m.customers_reason_adjustment,
  held: m.customers_reason_held,
  released: m.customers_reason_released,
};

const MOVED_TITLES: Readonly<Record<Moved['type'], () => string>> = {
  Send: m.customers_event_send,
  Receive: m.customers_event_receive,
  Reward: m.customers_event_reward,
};

const SEND_TITLES: Readonly<Record<NonNullable<Sent['data']['state']>, () => string>> = {
  arriving: m.customers_event_send_arriving,
  sent: m.customers_event_send,
  taken_back: m.customers_event_send_taken_back,
  returned: m.customers_event_send_returned,
};

function movedTitle(moved: Moved): string {
  const { reason } = moved.data;
  if (reason !== undefined) return REASON_TITLES[reason]();
  const state = moved.type === 'Send' ? moved.data.state : undefined;
  return state === undefined ? MOVED_TITLES[moved.type]() : SEND_TITLES[state]();
}

function movedWords(moved: Moved): Words {
  const { amount, asset, counterparty } = moved.data;
  const isOut = moved.type === 'Send';
  return {
    title: movedTitle(moved),
    text: counterparty !== null && <SubjectLink type="customer" id={counterparty} />,
    trailing: <Money units={isOut ? `-${amount}` : amount} asset={asset} isMovement />,
  };
}

type Scan = Extract<Entry, { kind: 'scan' }>['data'];

function scanWords({ action, outcome, venue, itemCount, redeemedCount, titles }: Scan): Words {
  const told = { outcome: outcomeTitle(outcome) };
  return {
    title: action === 'redeem' ? m.customers_event_redeem(told) : m.customers_event_scan(told),
    text: [
      venue,
      m.customers_event_items({ redeemed: redeemedCount, count: itemCount }),
      titles.join(', '),
    ]
      .filter((part) => part !== null && part !== '')
      .join(' · '),
  };
}
