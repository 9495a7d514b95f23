import { isUuid } from '@athos/domain/uuid';
import { paths } from '../routes/paths.ts';
import { CopyId } from './copy-id.tsx';
import { ObjectLink } from './detail.tsx';

/** What found no partner is a booking of ours, or a transaction of the provider. */
const cardTransactionPath = (id: string): string =>
  isUuid(id) ? paths.cardBooking(id) : paths.cardTransaction(id);

/** The screens of objects, by the kind under which the audit, the ledger and approvals name them. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  approval: paths.approval,
  category: paths.category,
  offer: paths.offer,
  merchant: paths.merchant,
  campaign: paths.campaign,
  card_transaction: cardTransactionPath,
  purchase: paths.purchase,
  redemption: paths.redemption,
  debt: paths.debt,
  dispute: paths.dispute,
  card_order: paths.payment,
  card_refund: paths.refund,
  customer: paths.customer,
  payment: paths.payment,
  staff: paths.staffMember,
  venue: paths.venue,
  job: paths.job,
  scanner: paths.scanner,
};

/** `purchase`, and its id: a link where the object has a screen. */
export function SubjectLink({ type, id }: { type: string; id: string }) {
  const pathOf = SCREENS[type];
  const title = type.replaceAll('_', ' ');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {pathOf === undefined ? title : <ObjectLink to={pathOf(id)}>{title}</ObjectLink>}
      <CopyId id={id} isShort />
    </span>
  );
}
