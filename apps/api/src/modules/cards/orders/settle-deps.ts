import type { Ledger } from '../../../ledger/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { CardProvider } from '../provider/card-provider.ts';

/** The dependencies of code that settles, cancels or refunds a card order. */
export interface SettleDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly cardProvider: CardProvider;
  readonly config: {
    readonly isProduction: boolean;
    readonly limits: { readonly declinesPerHour: number };
  };
}
