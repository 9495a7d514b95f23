/** Replaces `ledger/index.ts` for the program: a second ledger, in another database, makes the sends of the turns without pieces. */
import {
  createLedger as createRealLedger,
  type Ledger,
  type LedgerOptions,
} from '../../apps/api/src/ledger/index.ts';
import { addToggle } from './take-turns.ts';

export * from '../../apps/api/src/ledger/index.ts';

export function createLedger(options: LedgerOptions): Ledger {
  const inPieces = createRealLedger(options);
  const inOneTable = createRealLedger({
    ...options,
    databaseUrl: process.env['BENCH_OTHER_DATABASE_URL'] ?? '',
  });
  let current = inPieces;
  addToggle({ switchTo: (isOn) => (current = isOn ? inPieces : inOneTable) });
  return {
    ...inPieces,
    transfer: (request) => current.transfer(request),
    async close() {
      await Promise.all([inPieces.close(), inOneTable.close()]);
    },
  };
}
