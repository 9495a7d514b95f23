/**
 * Migrations run while the previous version still serves. What it uses is dropped one release later, in a contract step, whose file name
 * has the word `contract` before its extension. An index on a table that may be large is built concurrently, and a constraint on one is
 * validated in a file of its own. These are the rules of squawk that concern us; its program is published for one platform alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse, type AlterTableCmd, type Node } from 'libpg-query';
import { describe, expect, it } from 'vitest';

const DIR = 'apps/api/migrations';
/** The last migration of the first release, before which no version could run at the same time. */
const FIRST_RELEASE = '0099';
/** The last migration that could stop the writes of a table that stands. Released migrations are not changed. */
const LAST_THAT_STOPS_WRITES = '0121';
/** Kinds of objects that no statement of a program names. */
const UNNAMED = new Set([
  'OBJECT_INDEX',
  'OBJECT_TABCONSTRAINT',
  'OBJECT_TRIGGER',
  'OBJECT_POLICY',
]);
/** Matched in a DO block, whose text is not parsed. */
const TAKES_AWAY =
  /\b(drop\s+(?!index|trigger|constraint)|rename\s+(?!constraint)|set\s+not\s+null|alter\s+column\s+\S+\s+(set\s+data\s+)?type)/i;

const upOf = (migration: string): string => migration.split(/^\s*-- Down Migration/m)[0] ?? '';

function faultOfCommand({ subtype, name, def }: AlterTableCmd): string | undefined {
  if (subtype === 'AT_DropColumn') return `drops the column ${name}`;
  if (subtype === 'AT_AlterColumnType') return `retypes the column ${name}`;
  if (subtype === 'AT_SetNotNull')
    return `requires the column ${name}, which the version before may leave out`;
  if (subtype !== 'AT_AddColumn' || def === undefined || !('ColumnDef' in def)) return undefined;
  const kinds = (def.ColumnDef.constraints ?? []).map((one) =>
    'Constraint' in one ? one.Constraint.contype : undefined,
  );
  const isFilled = ['CONSTR_DEFAULT', 'CONSTR_IDENTITY', 'CONSTR_GENERATED'].some((kind) =>
    kinds.some((other) => other === kind),
  );
  return kinds.includes('CONSTR_NOTNULL') && !isFilled
    ? `requires the new column ${def.ColumnDef.colname}, which the version before leaves out`
    : undefined;
}

/**
 * The changes of a statement that break the previous version. `created` are the tables of the same migration, which that version does not
 * know.
 */
function faultsOf(statement: Node, created: ReadonlySet<string>): string[] {
  if ('AlterTableStmt' in statement) {
    const { relation, cmds = [] } = statement.AlterTableStmt;
    if (created.has(relation?.relname ?? '')) return [];
    return cmds.flatMap((cmd) =>
      'AlterTableCmd' in cmd ? (faultOfCommand(cmd.AlterTableCmd) ?? []) : [],
    );
  }
  if ('DropStmt' in statement) {
    const { removeType = '', objects } = statement.DropStmt;
    const names = JSON.stringify(objects).match(/(?<="sval":")\w+/g) ?? [];
    const isOwn = names.every((name) => created.has(name));
    return UNNAMED.has(removeType) || isOwn ? [] : [`drops ${names.join(', ')}`];
  }
  if ('RenameStmt' in statement) {
    const { renameType = '', relation, subname, newname } = statement.RenameStmt;
    const isOwn = created.has(relation?.relname ?? '');
    return UNNAMED.has(renameType) || isOwn
      ? []
      : [`renames ${subname ?? relation?.relname} to ${newname}`];
  }
  if ('AlterObjectSchemaStmt' in statement) return ['moves to another schema'];
  if ('DoStmt' in statement && TAKES_AWAY.test(JSON.stringify(statement))) {
    return ['drops, renames or retypes something in a DO block'];
  }
  return [];
}

const statementsOf = async (text: string): Promise<Node[]> =>
  ((await parse(upOf(text))).stmts ?? []).flatMap(({ stmt }) => stmt ?? []);

/** The tables created by the migration itself, which are empty and unused. */
const createdBy = (statements: readonly Node[]): ReadonlySet<string> =>
  new Set(
    statements.flatMap((stmt) =>
      'CreateStmt' in stmt ? (stmt.CreateStmt.relation?.relname ?? []) : [],
    ),
  );

type Statements = readonly Node[];

/** Index builds that block writers, and those that cannot be repeated on their own. */
const indexFaultsOf = (statements: Statements, created: ReadonlySet<string>): string[] =>
  statements.flatMap((stmt) => {
    if (!('IndexStmt' in stmt)) return [];
    const { relation, idxname, concurrent } = stmt.IndexStmt;
    if (concurrent === true)
      return statements.length === 1 ? [] : [`${idxname} is not alone in its file`];
    return created.has(relation?.relname ?? '')
      ? []
      : [`${idxname} stops all writes of ${relation?.relname} while it is built`];
  });

/** Constraints whose rows are checked under a lock that blocks writers. Adding one takes that lock until the end of the file. */
const constraintFaultsOf = (statements: Statements, created: ReadonlySet<string>): string[] =>
  statements.flatMap((stmt) => {
    if (!('AlterTableStmt' in stmt)) return [];
    const { relation, cmds = [] } = stmt.AlterTableStmt;
    const table = relation?.relname ?? '';
    if (created.has(table)) return [];
    return cmds.flatMap((cmd) => {
      if (!('AlterTableCmd' in cmd)) return [];
      const { subtype, name, def } = cmd.AlterTableCmd;
      if (subtype === 'AT_ValidateConstraint')
        return statements.length === 1 && cmds.length === 1
          ? []
          : [`validates ${name} beside other statements`];
      if (subtype !== 'AT_AddConstraint' || def === undefined || !('Constraint' in def)) return [];
      const { contype, conname, skip_validation: isLeftLater } = def.Constraint;
      const isChecked = contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN';
      return isChecked && isLeftLater !== true
        ? [`${conname} stops all writes of ${table} while its rows are checked: add it not valid`]
        : [];
    });
  });

async function writeFaultsOf(file: string, text: string): Promise<string[]> {
  if (file.slice(0, 4) <= LAST_THAT_STOPS_WRITES) return [];
  const statements = (await statementsOf(text)).filter((stmt) => !('VariableSetStmt' in stmt));
  const created = createdBy(statements);
  return [...indexFaultsOf(statements, created), ...constraintFaultsOf(statements, created)].map(
    (fault) => `${file}: ${fault}`,
  );
}

async function faultsOfMigration(file: string, text: string): Promise<string[]> {
  if (file.endsWith('.contract.sql')) return [];
  const statements = await statementsOf(text);
  const created = createdBy(statements);
  return statements.flatMap((stmt) => faultsOf(stmt, created)).map((fault) => `${file}: ${fault}`);
}

describe('a migration', () => {
  it('[P-056] of this repository takes nothing from the version before, unless it is a contract step', async () => {
    const files = readdirSync(DIR).filter((file) => file.slice(0, 4) > FIRST_RELEASE);
    const faults = files.map((file) =>
      faultsOfMigration(file, readFileSync(`${DIR}/${file}`, 'utf8')),
    );
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it.each([
    ['drop table orders', 'drops orders'],
    ['alter table orders drop column note', 'drops the column note'],
    ['drop function price_of(int)', 'drops price_of'],
    ['alter table orders rename to carts', 'renames orders to carts'],
    ['alter table orders rename column note to remark', 'renames note to remark'],
    ['alter table orders alter column id type bigint', 'retypes the column id'],
    ['alter table orders alter note set not null', 'requires the column note, which'],
    ['alter table orders add column kind text not null', 'requires the new column kind, which'],
    ['alter table orders set schema old', 'moves to another schema'],
    ["do $$ begin execute 'drop table ' || 'orders'; end $$", 'drops, renames or retypes'],
  ])('[P-056] is refused with `%s`, unless it is a contract step', async (statement, fault) => {
    const text = `-- Up Migration\n\n${statement};\n\n-- Down Migration\n\nselect 1;\n`;
    expect(await faultsOfMigration('0100_x.sql', text)).toEqual([
      expect.stringContaining(`0100_x.sql: ${fault}`),
    ]);
    expect(await faultsOfMigration('0100_x.contract.sql', text)).toEqual([]);
  });

  it('of this repository stops no writes of a table that stands while it builds an index or checks its rows', async () => {
    const faults = readdirSync(DIR).map((file) =>
      writeFaultsOf(file, readFileSync(`${DIR}/${file}`, 'utf8')),
    );
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it.each([
    ['create index by_kind on orders (kind)', 'by_kind stops all writes of orders'],
    ['create unique index by_kind on orders (kind)', 'by_kind stops all writes of orders'],
    [
      'create index concurrently by_kind on orders (kind); select 1',
      'by_kind is not alone in its file',
    ],
    [
      "alter table orders add constraint kinds check (kind <> '')",
      'kinds stops all writes of orders',
    ],
    [
      'alter table orders add constraint owner foreign key (user_id) references users',
      'owner stops all writes of orders',
    ],
    [
      "alter table orders add constraint kinds check (kind <> '') not valid, validate constraint kinds",
      'validates kinds beside other statements',
    ],
  ])('is refused with `%s`', async (statement, fault) => {
    const text = `-- Up Migration\n\n${statement};\n\n-- Down Migration\n\nselect 1;\n`;
    expect(await writeFaultsOf('0122_x.sql', text)).toEqual([expect.stringContaining(fault)]);
    expect(await writeFaultsOf('0122_x.contract.sql', text)).toHaveLength(1);
    expect(await writeFaultsOf('0121_x.sql', text)).toEqual([]);
  });

  it('may index a table of its own, and any table with one concurrent build', async () => {
    const own = 'create table carts (id int); create index carts_by_id on carts (id);';
    expect(await writeFaultsOf('0122_x.sql', own)).toEqual([]);
    const alone = 'create index concurrently by_kind on orders (kind);';
    expect(await writeFaultsOf('0122_x.sql', alone)).toEqual([]);
  });

  it('may add a constraint whose rows another file checks', async () => {
    const added = "alter table orders add constraint kinds check (kind <> '') not valid;";
    const checked = "set lock_timeout = '2s'; alter table orders validate constraint kinds;";
    expect(await writeFaultsOf('0122_x.sql', added)).toEqual([]);
    expect(await writeFaultsOf('0123_x.sql', checked)).toEqual([]);
  });

  it('may add, index and constrain, and take back what it has created itself', async () => {
    const text = `-- Up Migration
      create table carts (id int);
      alter table carts add column note text not null, alter column id type bigint;
      alter table orders add column kind text not null default 'cart', add constraint kinds check (kind <> '') not valid;
      create index orders_by_kind on orders (kind);
      drop index orders_by_note;
      alter index orders_by_kind rename to by_kind;
      create or replace function price_of(int) returns int language sql as 'select 1';
      drop table carts;
      -- Down Migration
      drop table orders;`;
    expect(await faultsOfMigration('0100_x.sql', text)).toEqual([]);
  });
});
