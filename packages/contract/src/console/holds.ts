/** Holds: what a customer may not do for a while. Customers see the refusals, never the reasons. */

/** What a hold can stop. `send`, `spend` and `receive` are enforced by the ledger, the others where they happen. */
export const HOLD_KINDS = ['sign_in', 'send', 'receive', 'spend', 'top_up', 'redeem'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];

/** Why a hold stands: placed by staff, or by a dispute, a fraud warning or a debt, which lift only their own. */
export const HOLD_CAUSES = ['staff', 'dispute', 'warning', 'debt'] as const;
export type HoldCauseKind = (typeof HOLD_CAUSES)[number];
