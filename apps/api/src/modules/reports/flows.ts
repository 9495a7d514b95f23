/** The ledger's figures: one metric, split by kind and by both accounts, from which all figures about value are derived. */
import type { LedgerAccountId, LedgerFlow } from '../../ledger/index.ts';
import type { StatRow } from '../../platform/stats/stat-source.ts';

export const FLOW_METRIC = 'moved';

const dimensionOf = ({ kind, debitId, creditId }: LedgerFlow): string =>
  `${kind}:${debitId}:${creditId}`;

/** The account that stands for all customers together, in ATH. */
export const CUSTOMERS_ATH = 0n as LedgerAccountId;

export const flowRow = (flow: LedgerFlow): StatRow => ({
  metric: FLOW_METRIC,
  dimension: dimensionOf(flow),
  bucket: flow.hour,
  count: flow.count,
  units: flow.units,
});

export interface FlowKind {
  readonly kind: number;
  readonly debitId: LedgerAccountId;
  readonly creditId: LedgerAccountId;
}

/** The inverse of `dimensionOf`. */
export function flowOf(dimension: string): FlowKind {
  const [kind = '', debit = '', credit = ''] = dimension.split(':');
  return {
    kind: parseInt(kind, 10),
    debitId: BigInt(debit) as LedgerAccountId,
    creditId: BigInt(credit) as LedgerAccountId,
  };
}
