import { isUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { paths } from '../routes/paths.ts';
import { CopyId } from './copy-id.tsx';
import { ObjectLink } from './detail.tsx';
import { inWords } from './in-words.ts';

/** What found no partner is a booking of ours, or a transaction of the provider. */
const cardTransactionPath = (id: string): string =>
  isUuid(id) ? paths.cardBooking(id) : paths.cardTransaction(id);

interface SubjectKind {
  readonly title: () => string;
  readonly pathOf?: (id: string) => string;
}

/** Objects and their screens, by the kind under which the audit, the ledger and approvals name them. */
const KINDS: Readonly<Record<string, SubjectKind>> = {
  approval: { title: m.approvals_one, pathOf: paths.approval },
  batch: { title: m.codes_batch },
  bulk: { title: m.customers_bulk, pathOf: paths.bulkRun },
  campaign: { title: m.campaigns_one, pathOf: paths.campaign },
  card_order: { title: m.payments_one, pathOf: paths.payment },
  card_refund: { title: m.payments_refund_one, pathOf: paths.refund },
  card_transaction: { title: m.reconciliation_transaction, pathOf: cardTransactionPath },
  category: { title: m.catalogue_category, pathOf: paths.category },
  customer: { title: m.customers_one, pathOf: paths.customer },
  debt: { title: m.disputes_debts_one, pathOf: paths.debt },
  dispute: { title: m.disputes_one, pathOf: paths.dispute },
  job: { title: m.jobs_one, pathOf: paths.job },
  merchant: { title: m.merchants_one, pathOf: paths.merchant },
  offer: { title: m.catalogue_offer, pathOf: paths.offer },
  payment: { title: m.payments_one, pathOf: paths.payment },
  picture: { title: m.pictures_one, pathOf: paths.picture },
  purchase: { title: m.sales_one, pathOf: paths.purchase },
  rate: { title: m.rate_title, pathOf: () => paths.rate },
  redemption: { title: m.redemptions_one, pathOf: paths.redemption },
  role: { title: m.console_role, pathOf: () => paths.roles },
  scanner: { title: m.scanners_one, pathOf: paths.scanner },
  staff: { title: m.console_staff_member, pathOf: paths.staffMember },
  tiers: { title: m.ladder_title, pathOf: () => paths.tiers },
  venue: { title: m.venues_one, pathOf: paths.venue },
};

/** `Card payment`. A kind without a title here is shown in its own words. */
export const subjectTitle = (type: string): string => KINDS[type]?.title() ?? inWords(type);

/** `Purchase`, and its id: a link where the object has a screen. */
export function SubjectLink({ type, id }: { type: string; id: string }) {
  const pathOf = KINDS[type]?.pathOf;
  const title = subjectTitle(type);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {pathOf === undefined ? title : <ObjectLink to={pathOf(id)}>{title}</ObjectLink>}
      <CopyId id={id} isShort />
    </span>
  );
}
