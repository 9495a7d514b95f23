import type { HoldCauseKind, HoldKind } from '@athos/contract/console/holds';
import { m } from '@athos/messages/messages';

export const HOLD_KIND_TITLES: Readonly<Record<HoldKind, () => string>> = {
  send: m.customers_hold_kind_send,
  receive: m.customers_hold_kind_receive,
  spend: m.customers_hold_kind_spend,
  top_up: m.customers_hold_kind_top_up,
  redeem: m.customers_hold_kind_redeem,
  sign_in: m.customers_hold_kind_sign_in,
};

/** Listed in the order in which they are offered. */
export const HOLD_KINDS = Object.keys(HOLD_KIND_TITLES) as readonly HoldKind[];

/** `Sending, spending`. */
export const kindsText = (kinds: readonly HoldKind[]): string =>
  HOLD_KINDS.filter((kind) => kinds.includes(kind))
    .map((kind, index) => {
      const title = HOLD_KIND_TITLES[kind]();
      return index === 0 ? title : title.toLowerCase();
    })
    .join(', ');

export const CAUSE_TITLES: Readonly<Record<HoldCauseKind, () => string>> = {
  staff: m.customers_hold_cause_staff,
  dispute: m.customers_hold_cause_dispute,
  warning: m.customers_hold_cause_warning,
  debt: m.customers_hold_cause_debt,
};
