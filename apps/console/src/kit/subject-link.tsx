import { isUuid } from '@athos/domain/uuid';
import { m } from '@athos/messages/messages';
import { paths } from '../routes/paths.ts';
import { CopyId, shortId } from './copy-id.tsx';
import { ObjectLink } from './detail.tsx';
import { inWords } from './in-words.ts';
import { roleTitle } from './permission.ts';

/** An unmatched entry is one of our bookings or a transaction of the provider. */
const cardTransactionPath = (id: string): string =>
  isUuid(id) ? paths.cardBooking(id) : paths.cardTransaction(id);

/** The screens of objects, by the kind that the audit, the ledger and approvals use. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  approval: paths.approval,
  bulk: paths.bulkRun,
  campaign: paths.campaign,
  card_order: paths.payment,
  card_refund: paths.refund,
  card_transaction: cardTransactionPath,
  brake: () => paths.brakes,
  category: paths.category,
  customer: paths.customer,
  conflict: paths.conflict,
  debt: paths.debt,
  dispute: paths.dispute,
  job: paths.job,
  legal_text: paths.legalText,
  merchant: paths.merchant,
  offer_import: paths.offerImport,
  offer: paths.offer,
  payment: paths.payment,
  picture: paths.picture,
  purchase: paths.purchase,
  rate: () => paths.rate,
  redemption: paths.redemption,
  role: () => paths.roles,
  scanner: paths.scanner,
  setting: () => paths.settings,
  staff: paths.staffMember,
  tiers: () => paths.tiers,
  venue: paths.venue,
};

/** Kinds whose title differs from their code. */
const TITLES: Readonly<Record<string, () => string>> = {
  card_order: m.payments_one,
  card_refund: m.payments_refund_one,
  payment: m.payments_one,
  staff: m.console_staff_member,
};

/** `Card payment`. */
export const subjectTitle = (type: string): string => TITLES[type]?.() ?? inWords(type);

/** The part that distinguishes an object from others of its kind: the words of a role or a setting, the end of any other id. */
export function SubjectName({ type, id }: { type: string; id: string }) {
  if (type === 'role') return roleTitle(id);
  if (type === 'setting' || type === 'brake') return inWords(id);
  return <code className="font-code text-caption text-ink-quiet">{shortId(id)}</code>;
}

/** `Purchase` and its id, with a link if the object has a screen. */
export function SubjectLink({ type, id }: { type: string; id: string }) {
  const pathOf = SCREENS[type];
  const title = subjectTitle(type);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      {pathOf === undefined ? title : <ObjectLink to={pathOf(id)}>{title}</ObjectLink>}
      <CopyId id={id} isShort />
    </span>
  );
}
