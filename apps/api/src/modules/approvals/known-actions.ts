import type { Action, ActionCall } from '../../capability.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import { digestOf, THE_PROGRAMME } from './perform.ts';
import { selectRequester, type ApprovalRow } from './approvals.sql.ts';

/** An action of any capability, whatever dependencies it needs. `capabilities.ts` checks that the program has all of them. */
type AnyAction = Action<unknown, unknown>;

export interface ActionsDeps {
  /** The actions of all capabilities. */
  readonly actions: readonly Action[];
}

export function actionOf({ actions }: ActionsDeps, name: string): AnyAction {
  const action = actions.find((known) => known.name === name);
  invariant(action !== undefined, `no capability has the action ${name}`);
  return action as unknown as AnyAction;
}

/** A stored request in the shape that its action's functions take. The audit holds the digest of its payload. */
export async function callOf(
  tx: Tx | Db,
  action: AnyAction,
  row: ApprovalRow,
): Promise<ActionCall<unknown>> {
  invariant(
    digestOf(row.payload).equals(row.digest),
    `the payload of request ${row.id} was altered`,
  );
  return {
    id: row.id,
    payload: action.payload.parse(JSON.parse(row.payload)),
    reason: row.reason,
    requestedBy:
      row.requested_by === null ? THE_PROGRAMME : await selectRequester(tx, row.requested_by),
    isHeld: row.is_held,
  };
}
