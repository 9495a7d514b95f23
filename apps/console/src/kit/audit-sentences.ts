/** What staff did, as a sentence. The code stays what the audit stores, sorts and is searched by. */
import type { ConsoleAuditAction } from '@athos/contract/console/calls';
import { m } from '@athos/messages/messages';

type Sentences = Readonly<Record<string, () => string>>;

/** Those of the calls, and of entries that no call writes. */
const SENTENCES: Sentences & Readonly<Record<ConsoleAuditAction, () => string>> = {
  'approval.approve': m.audit_approval_approve,
  'approval.expire': m.audit_approval_expire,
  'approval.reject': m.audit_approval_reject,
  'approval.withdraw': m.audit_approval_withdraw,
  'audit.verify': m.audit_audit_verify,
  'customer.contact': m.audit_customer_contact,
  'customer.credit': m.audit_customer_credit,
  'customer.debit': m.audit_customer_debit,
  'customer.end_sessions': m.audit_customer_end_sessions,
  'customer.erase': m.audit_customer_erase,
  'customer.export': m.audit_customer_export,
  'customer.mail': m.audit_customer_mail,
  'customer.note': m.audit_customer_note,
  'customer.open': m.audit_customer_open,
  'debt.write_off': m.audit_debt_write_off,
  'dispute.accept': m.audit_dispute_accept,
  'dispute.add_file': m.audit_dispute_add_file,
  'dispute.open': m.audit_dispute_open,
  'dispute.save_evidence': m.audit_dispute_save_evidence,
  'dispute.submit': m.audit_dispute_submit,
  'export.create': m.audit_export_create,
  'export.download': m.audit_export_download,
  'export.link': m.audit_export_link,
  'factor.add': m.audit_factor_add,
  'factor.begin': m.audit_factor_begin,
  'factor.recovery_codes': m.audit_factor_recovery_codes,
  'factor.remove': m.audit_factor_remove,
  'goodwill.fund': m.audit_goodwill_fund,
  'hold.place': m.audit_hold_place,
  'hold.release': m.audit_hold_release,
  'ledger.book': m.audit_ledger_book,
  'ledger.verify': m.audit_ledger_verify,
  'payment.refund': m.audit_payment_refund,
  'payment.resolve_review': m.audit_payment_resolve_review,
  'purchase.refund': m.audit_purchase_refund,
  'purchase.refund_redeemed': m.audit_purchase_refund_redeemed,
  'reconciliation.book': m.audit_reconciliation_book,
  'reconciliation.explain': m.audit_reconciliation_explain,
  'reconciliation.match': m.audit_reconciliation_match,
  'redemption.reverse': m.audit_redemption_reverse,
  'role.change': m.audit_role_change,
  'role.create': m.audit_role_create,
  'role.delete': m.audit_role_delete,
  'session.end': m.audit_session_end,
  'session.prove': m.audit_session_prove,
  'session.sign_in': m.audit_session_sign_in,
  'session.sign_out': m.audit_session_sign_out,
  'setting.change': m.audit_setting_change,
  'sign_up.mail': m.audit_sign_up_mail,
  'staff.end_session': m.audit_staff_end_session,
  'staff.end_sessions': m.audit_staff_end_sessions,
  'staff.invite': m.audit_staff_invite,
  'staff.invite_again': m.audit_staff_invite_again,
  'staff.leave': m.audit_staff_leave,
  'staff.password': m.audit_staff_password,
  'staff.reactivate': m.audit_staff_reactivate,
  'staff.reset': m.audit_staff_reset,
  'staff.roles': m.audit_staff_roles,
  'staff.suspend': m.audit_staff_suspend,
  'staff.wallet': m.audit_staff_wallet,
};

/** Entries outlive the calls that wrote them, so an action may have no sentence any more. Then it is its code. */
export function auditSentence(action: string): string {
  return (SENTENCES as Partial<Sentences>)[action]?.() ?? action;
}
