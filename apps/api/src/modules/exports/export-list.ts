/** The description of a list that can be exported, and the form of amounts in its cells. */
import type { CompiledQuery } from 'kysely';
import type { ListCount } from '@athos/contract/console/lists';
import type { Permission } from '@athos/contract/console/permissions';
import { exactAthText, parseUnits } from '@athos/domain/money';
import type { Contributions } from '../../capability.ts';
import type { Tx } from '../../platform/database/database.ts';
import { readInChunks } from '../../platform/database/read-in-chunks.ts';
import type { Cell } from '../../platform/files/csv.ts';
import type { PresentDeps } from '../customers/index.ts';

export interface ListDeps extends PresentDeps, Pick<Contributions, 'transferObjects'> {
  readonly config: { readonly databaseUrl: string };
}

export interface ExportList<Row, Filters> {
  readonly permission: Permission;
  readonly columns: readonly string[];
  readonly count: (tx: Tx, filters: Filters, now: Date) => Promise<ListCount>;
  /** Reads all rows that match the filters, in chunks. */
  readonly read: (deps: ListDeps, filters: Filters) => AsyncIterable<readonly Row[]>;
  /** The cells of some of its rows, in the order of the rows. */
  readonly cellsOf: (
    deps: ListDeps,
    rows: readonly Row[],
    filters: Filters,
  ) => Promise<Cell[][]> | Cell[][];
}

export const inChunks = <Row>({ config }: ListDeps, query: CompiledQuery<Row>) =>
  readInChunks(config.databaseUrl, query);

/** Formats hundredths as a decimal. */
export const decimalCents = (cents: bigint): string => {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** An amount in two cells: in the form that people write, and in the units that can be added up. */
export const amountCells = (units: string): Cell[] => [
  { number: exactAthText(parseUnits(units)) },
  { number: units },
];

/** The cells of an amount of any asset, like `amountCells`. */
export const worthCells = (units: string, asset: string): Cell[] =>
  asset === 'USD'
    ? [{ number: decimalCents(BigInt(units)) }, { number: units }]
    : amountCells(units);
