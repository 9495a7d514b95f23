/** Evidence that a job gathers for a new dispute, as a draft for staff to read, change and submit. */
import type { Db } from '../../../platform/database/database.ts';
import { selectOrder, type OrderRow } from '../orders/orders.sql.ts';
import { awaitsEvidence } from './dispute-states.ts';
import { lockDispute, selectDispute, type DisputeRow } from './disputes.sql.ts';
import { saveEvidence, type EvidenceTexts } from './evidence.ts';

/** Whether nobody has written anything yet and the bank awaits evidence. */
const isEmptyDraft = ({ status, evidence, evidence_state: state }: DisputeRow): boolean =>
  awaitsEvidence(status) && state === 'draft' && Object.keys(evidence).length === 0;

/** The order of a dispute that still needs a draft. */
export async function findOrderToGather(db: Db, disputeId: string): Promise<OrderRow | undefined> {
  const dispute = await selectDispute(db, disputeId);
  if (dispute === undefined || !isEmptyDraft(dispute)) return undefined;
  return selectOrder(db, dispute.order_id);
}

/** Saves the gathered evidence unless somebody has already saved a draft. */
export const saveGathered = (db: Db, disputeId: string, texts: EvidenceTexts): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const dispute = await lockDispute(tx, disputeId);
    if (dispute !== undefined && isEmptyDraft(dispute)) await saveEvidence(tx, dispute, texts);
  });
