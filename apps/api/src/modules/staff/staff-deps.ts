import type { ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import type { RelyingParty } from '../../platform/factors/passkeys.ts';
import type { Passwords } from '../../platform/keys/passwords.ts';
import type { GuessDeps } from '../../platform/limits/guesses.ts';
import type { Cell, SealedColumns } from '../../platform/sealed.ts';

/** The dependencies of staff's routes. */
export interface StaffDeps extends ConsoleDeps, GuessDeps {
  readonly config: ConsoleDeps['config'] &
    GuessDeps['config'] & {
      readonly isProduction: boolean;
      readonly console: {
        readonly origin: string;
        readonly idleMs: number;
        readonly sessionMs: number;
        readonly timeZone: string;
      };
    };
  readonly passwords: Passwords;
  readonly sealed: SealedColumns;
  readonly listCursors: ListCursors;
  readonly programme: ReadProgramme;
  /** Absent if the console's address is an IP address. */
  readonly relyingParty: RelyingParty | undefined;
}

const secretCell = (factorId: string): Cell => ({
  table: 'staff_factors',
  column: 'secret',
  rowId: factorId,
});

export const sealTotpSecret = (
  { sealed }: Pick<StaffDeps, 'sealed'>,
  factorId: string,
  secret: string,
): Buffer => sealed.seal(secretCell(factorId), secret);

export const openTotpSecret = (
  { sealed }: Pick<StaffDeps, 'sealed'>,
  { id, secret }: { readonly id: string; readonly secret: Buffer },
): string => sealed.open(secretCell(id), secret);
