/**
 * The architecture as a table of what each folder may import. It is an allow list, so a new folder fails until it is
 * added here. `docs/ARCHITECTURE.md` says the same in words.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { api } from '@athos/contract/api';
import { parseSync, Visitor, type ESTree } from 'vite';
import { describe, expect, it } from 'vitest';

const MODULES = 'apps/api/src/modules';

/** The server's capabilities in order: each may import only the `index.ts` of those before it. */
const CAPABILITIES = [
  'approvals',
  'staff',
  'holds',
  'legal',
  'identity',
  'rate',
  'profiles',
  'transfers',
  'adjustments',
  'cards',
  'merchants',
  'shop',
  'campaigns',
  'tickets',
  'activity',
  'contacts',
  'receipts',
  'statements',
  'customers',
  'bookkeeping',
  'exports',
  'reports',
  'health',
];

const doorOf = (capability: string): string => `${MODULES}/${capability}/index.ts`;

const CAPABILITIES_MAY_IMPORT = Object.fromEntries(
  CAPABILITIES.map((name, index) => [
    `${MODULES}/${name}`,
    [
      'apps/api/src/capability.ts',
      'apps/api/src/ledger/index.ts',
      'apps/api/src/platform',
      'apps/api/src/config',
      'packages',
      ...CAPABILITIES.slice(0, index).map(doorOf),
    ],
  ]),
);

/** `*` matches one folder name. A zone that ends in `/.` holds the files directly in that folder. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'packages/domain': [],
  'packages/brand': [],
  'packages/messages': [],
  'packages/contract': ['packages/domain'],
  'packages/client': ['packages/contract', 'packages/domain'],
  'packages/app-core': ['packages/client', 'packages/contract', 'packages/domain'],
  'packages/ui': ['packages/domain', 'packages/brand', 'packages/messages'],
  'packages/app-build': [],
  'packages/testing': ['packages/contract', 'packages/domain'],

  'apps/api/.': [],
  'apps/api/src/.': ['apps/api/src', 'packages'],
  ...CAPABILITIES_MAY_IMPORT,
  'apps/api/src/config': ['apps/api/src/platform', 'packages'],
  'apps/api/src/programs': ['apps/api/src', 'packages'],
  'apps/api/src/ledger': ['apps/api/src/platform', 'packages/domain'],
  'apps/api/src/platform': ['packages'],
  'apps/api/src/seed': ['apps/api/src', 'packages'],
  'apps/api/test': ['apps/api', 'packages', 'dev'],

  'apps/wallet/.': ['apps/wallet', 'packages'],
  'apps/wallet/build': ['packages/app-build', 'packages/brand', 'packages/messages'],
  'apps/wallet/src/.': ['apps/wallet/src', 'packages'],
  'apps/wallet/src/routes': ['apps/wallet/src', 'packages'],
  'apps/wallet/src/features/*': [
    'apps/wallet/src/api',
    'apps/wallet/src/state',
    'apps/wallet/src/native',
    'apps/wallet/src/routes/paths.ts',
    'packages',
  ],
  'apps/wallet/src/api': ['apps/wallet/src/native', 'apps/wallet/src/state', 'packages'],
  'apps/wallet/src/state': ['packages'],
  'apps/wallet/src/native': ['packages'],
  'apps/wallet/test': ['apps/wallet', 'packages'],

  'apps/scanner/.': ['apps/scanner', 'packages'],
  'apps/scanner/build': ['packages/app-build', 'packages/brand', 'packages/messages'],
  'apps/scanner/src/.': ['apps/scanner/src', 'packages'],
  'apps/scanner/src/routes': ['apps/scanner/src', 'packages'],
  'apps/scanner/src/features/*': [
    'apps/scanner/src/api',
    'apps/scanner/src/state',
    'apps/scanner/src/routes/paths.ts',
    'packages',
  ],
  'apps/scanner/src/api': ['apps/scanner/src/state', 'packages'],
  'apps/scanner/src/state': ['packages'],
  'apps/scanner/test': ['apps/scanner', 'packages'],

  'apps/console/.': ['apps/console', 'packages'],
  'apps/console/build': ['packages/app-build', 'packages/brand', 'packages/messages'],
  'apps/console/src/.': ['apps/console/src', 'packages'],
  'apps/console/src/routes': ['apps/console/src', 'packages'],
  'apps/console/src/features/*': [
    'apps/console/src/kit',
    'apps/console/src/api',
    'apps/console/src/state',
    'apps/console/src/routes/paths.ts',
    'packages',
  ],
  'apps/console/src/kit': [
    'apps/console/src/api',
    'apps/console/src/state',
    'apps/console/src/routes/paths.ts',
    'packages',
  ],
  'apps/console/src/api': ['apps/console/src/state', 'packages'],
  'apps/console/src/state': ['packages'],
  'apps/console/test': ['apps/console', 'packages'],

  dev: ['dev', 'packages/domain', 'packages/contract'],
  'dev/sandbox': [],
  mobile: ['packages'],
  e2e: ['packages'],
  bench: [
    'apps/api/src',
    'apps/api/test/s3-server.ts',
    'apps/api/test/smtp-server.ts',
    'packages',
    'dev',
  ],
  scripts: [
    'apps/api/src/seed',
    'apps/api/src/config',
    'apps/api/src/ledger/verify.ts',
    'apps/api/src/modules/receipts/index.ts',
    'apps/api/src/platform/database/database.ts',
    'apps/api/src/platform/log/log.ts',
    'apps/api/src/platform/audit/verify.ts',
    'apps/api/src/roles.ts',
    'apps/api/src/platform/database/address.ts',
    'apps/api/test/offer-tls.ts',
    'apps/api/src/modules/staff/index.ts',
    'apps/api/src/platform/health/tell-command.ts',
    'apps/api/src/platform/keys/signing-keys.ts',
    'apps/api/src/platform/settings/programme-command.ts',
    'bench/cluster/flags.ts',
    'bench/cluster/requirements.ts',
    'bench/cluster/root-file-system.ts',
    'bench/population.ts',
    'bench/programs.ts',
    'bench/vitest-report.ts',
    'dev',
    'packages',
  ],
  tools: ['dev', 'packages'],
};

/** Browser programs import schemas only as types: zod would outweigh the rest of the first page. */
const TYPES_ONLY = {
  from: /^(apps\/(wallet|scanner|console)|packages\/(client|app-core))\/src\//,
  to: /^packages\/contract\/src\/(api|programme|shared|wallet|scanner|console\/(?!permissions|console-call|evidence|picture-files))/,
};

/** If fewer are found, the test is looking in the wrong place and proves nothing. */
const FILE_COUNT_MIN = 150;
const IMPORT_COUNT_MIN = 400;

interface TextRule {
  readonly in: RegExp;
  readonly except?: RegExp;
  readonly forbids: RegExp;
  readonly instead: string;
}

/** The snake_case names of fields on the wire, as the contract spells them. A name of a number is data. */
const WIRE_NAMES = [
  ...new Set(
    globSync('packages/contract/src/{shared,wallet,scanner,console}/*.ts')
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .flatMap((text) => [...text.matchAll(/(?:^|[{,])\s*([a-z]+(?:_[a-z]+)+):(?!\s*\d)/gm)])
      .map(([, name]) => name),
  ),
];

const TEXT_RULES: readonly TextRule[] = [
  {
    in: /^apps\/api\/src\//,
    except: /\.sql\.ts$|\.test\.ts$|^apps\/api\/src\/(ledger|seed)\//,
    forbids: /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
    instead: 'put the statement into a named function of a *.sql.ts file',
  },
  {
    in: /^apps\/api\/src\//,
    except: /^apps\/api\/src\/ledger\//,
    forbids: /\bledger_(accounts|transfers|batches|head)\b/,
    instead: 'ask the ledger through ledger/index.ts',
  },
  {
    in: /^apps\/api\/src\//,
    except:
      /^apps\/api\/src\/(modules\/(staff\/|approvals\/concerned-staff\.sql\.ts$)|seed\/)|\.test\.ts$/,
    forbids: /\bBUILT_IN_(?:ROLES|GRANTS)\b|\brolesWith\b|\bstaff_roles\b/,
    instead:
      'what somebody may do follows from permissions: name one in the contract, or ask `may(staff, …)`',
  },
  {
    in: /^apps\/api\/src\//,
    except: /platform\/clock\.ts$|\.test\.ts$/,
    forbids: /\bDate\.now\(\)|new Date\(\)/,
    instead: 'take the time from the clock',
  },
  {
    in: /^apps\/api\/src\/(ledger|modules\/cards)\/|^packages\/domain\/src\/(money|purchase-price)\.ts$/,
    except: /\.test\.ts$/,
    forbids: /\bparseFloat\(|\.toFixed\(|\bNumber\(/,
    instead: 'money is bigint: use packages/domain/src/money.ts',
  },
  {
    in: /^(apps|packages)\/[^/]+\/src\//,
    except: /^packages\/(brand|messages)\/|^apps\/api\/src\/seed\/|\.test\.tsx?$/,
    forbids: /['">](Athos|Meridian)\b/,
    instead: 'take brand facts from packages/brand',
  },
  {
    in: /^apps\/(wallet|scanner|console)\/src\/|^packages\/ui\/src\//,
    except: /\.test\.tsx?$|\.css$/,
    forbids: /\bclassName="[^"]*-\[#|\bstyle=\{\{[^}]*#[0-9a-f]{3,8}/i,
    instead: 'use a token of packages/ui/src/tokens.css',
  },
  {
    in: /^apps\/(wallet|scanner|console)\/src\/|^packages\/ui\/src\//,
    except: /\.test\.tsx?$/,
    // The compiler silently drops such a class.
    forbids: /["'` ](sm|md|lg|xl|2xl):[-a-z]/,
    instead: 'use a breakpoint of packages/ui/src/tokens.css: small, rail, or a container',
  },
  {
    // oxc-transform-react 0.156.0 compiles `0n` inside a component or hook to `undefined`.
    in: /^(apps\/(wallet|scanner|console)|packages\/ui)\/src\/(.*\.tsx|.*\/use-[^/]+\.ts)$/,
    except: /\.test\.tsx?$/,
    forbids: /\b\d[\d_]*n\b/,
    instead: 'keep bigint literals out of components and hooks: the React Compiler loses them',
  },
  {
    in: /^(apps\/(wallet|scanner|console)|packages\/(ui|app-core))\/src\//,
    // start-early.ts needs the addresses of calls before the code that knows them is loaded.
    except: /^apps\/[^/]+\/src\/(api\/|start-early\.ts$)|\.test\.tsx?$/,
    forbids: new RegExp(`\\b(${WIRE_NAMES.join('|')})\\b`),
    instead: 'read the name of the wire in src/api, and call it by a name of ours elsewhere',
  },
  {
    in: /^(apps|packages)\/[^/]+\/src\//,
    except: /^packages\/testing\/|\.test\.tsx?$/,
    forbids: /@athos\/testing\//,
    instead: 'packages/testing is for tests only',
  },
];

const ROOTS = ['apps', 'packages', 'dev', 'mobile', 'e2e', 'bench', 'scripts', 'tools'];

const files = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx|mts|mjs)$/.test(name))
    .filter((name) => !/(^|\/)(node_modules|dist|gen)\//.test(name))
    .map((name) => posix.join(root, name)),
);

function packageTarget(name: string, rest: string): string | undefined {
  const folder = ['packages', 'dev']
    .map((root) => `${root}/${name}`)
    .find((path) => manifests.has(path));
  if (folder === undefined) return undefined;
  const { exports = {} } = manifests.get(folder) ?? {};
  for (const [pattern, target] of Object.entries(exports)) {
    const [head = '', tail] = pattern.split('*');
    const key = `./${rest}`;
    if (tail === undefined ? key === pattern : key.startsWith(head)) {
      return posix.join(folder, target.replace('*', key.slice(head.length)));
    }
  }
  return `not-exported/${name}/${rest}`;
}

const manifests = new Map<string, { exports?: Record<string, string> }>(
  ['packages', 'dev'].flatMap((root) =>
    readdirSync(root).map((name) => [
      `${root}/${name}`,
      JSON.parse(readFileSync(`${root}/${name}/package.json`, 'utf8')),
    ]),
  ),
);

/** The file that an import resolves to; `undefined` for npm packages and Node's built-in modules. */
function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(dirname(file), specifier);
  const [, name, rest] = /^@athos\/([^/]+)\/(.*)$/.exec(specifier) ?? [];
  return name === undefined || rest === undefined ? undefined : packageTarget(name, rest);
}

interface Import {
  readonly specifier: string;
  readonly isTypesOnly: boolean;
}

/** Includes side-effect, dynamic, re-export and type-only imports. */
function importsOf(file: string, text: string): Import[] {
  const { module, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const fixed = module.staticImports.map((statement) => ({
    specifier: statement.moduleRequest.value,
    isTypesOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  const reExported = module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null ? [] : [{ specifier: moduleRequest.value, isTypesOnly: isType }],
    );
  const dynamic = module.dynamicImports.map(({ moduleRequest }) => ({
    specifier: text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
    isTypesOnly: false,
  }));
  return [...fixed, ...reExported, ...dynamic];
}

const zones = Object.keys(MAY_IMPORT)
  .toSorted((a, b) => b.length - a.length)
  .map((key) => {
    const isFolderOnly = key.endsWith('/.');
    const path = key.replace(/\/\.$/, '').replaceAll('*', '[^/]+');
    return { key, pattern: new RegExp(isFolderOnly ? `^${path}/(?=[^/]+$)` : `^${path}/`) };
  });

function allowedFor(file: string): readonly string[] | undefined {
  for (const { key, pattern } of zones) {
    const match = pattern.exec(file);
    if (match === null) continue;
    return [match[0], ...(MAY_IMPORT[key] ?? [])];
  }
  return undefined;
}

const isBelow = (target: string, prefix: string): boolean =>
  target === prefix || target.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);

/** Says why an import from a capability is refused and what to do instead; `undefined` if it is allowed. */
function doorProblem(file: string, target: string): string | undefined {
  const [, name = '', inside] = /^apps\/api\/src\/modules\/([^/]+)\/(.+)$/.exec(target) ?? [];
  if (inside === undefined || isBelow(file, `${MODULES}/${name}`)) return undefined;
  const own = CAPABILITIES.find((candidate) => isBelow(file, `${MODULES}/${candidate}`));
  if (own !== undefined && CAPABILITIES.indexOf(own) < CAPABILITIES.indexOf(name)) {
    return `${file} may not import ${target}: ${name} comes after ${own}, so let ${name} register what ${own} needs (apps/api/src/capability.ts)`;
  }
  if (inside === 'index.ts') return undefined;
  return `${file} may not import ${target}: go through ${doorOf(name)}, and export there what others may use`;
}

/** Tests may import from anywhere. */
const isTest = (file: string): boolean => /\.(test|e2e)\.tsx?$/.test(file);

function importProblems(
  file: string,
  allowed: readonly string[],
  imports: readonly Import[],
): string[] {
  return imports.flatMap(({ specifier, isTypesOnly }) => {
    const target = resolve(file, specifier);
    if (target === undefined) return [];
    if (target.startsWith('not-exported/')) return [`${file}: ${specifier} is not exported`];
    const problems: string[] = [];
    if (!isTest(file)) {
      const problem = doorProblem(file, target);
      const isAllowed = allowed.some((prefix) => isBelow(target, prefix));
      if (problem !== undefined) problems.push(problem);
      else if (!isAllowed) problems.push(`${file} may not import ${target}`);
    }
    if (!isTypesOnly && !isTest(file) && TYPES_ONLY.from.test(file) && TYPES_ONLY.to.test(target)) {
      problems.push(`${file} may import only types from ${target}`);
    }
    return problems;
  });
}

function textProblems(file: string, text: string): string[] {
  return TEXT_RULES.flatMap((rule) => {
    if (!rule.in.test(file) || rule.except?.test(file) === true) return [];
    const line = text.split('\n').findIndex((candidate) => rule.forbids.test(candidate));
    return line === -1 ? [] : [`${file}:${line + 1}: ${rule.instead}`];
  });
}

const filesBelow = (folder: string): string[] =>
  files.filter((file) => file.startsWith(folder) && !isTest(file) && !file.includes('/test/'));

/** The paths of the files whose text matches. */
const filesWith = (folder: string, pattern: RegExp): string[] =>
  filesBelow(folder).filter((file) => pattern.test(readFileSync(file, 'utf8')));

/** The calls that take an Idempotency-Key. */
const KEYED = new Set(
  Object.entries(api).flatMap(([name, call]) => ('keyed' in call && call.keyed ? [name] : [])),
);

const bareCallAdvice = (name: string): string =>
  `make client.call('${name}', …) inside moveValue (packages/client/src/outcome.ts), which repeats it with the same key ` +
  'and says what became of it; or inside callTwice, if its failure is shown as any other';

interface KeyedCall {
  readonly file: string;
  readonly name: string;
  /** Whether it is inside an argument of `moveValue` or `callTwice`. */
  readonly isRepeated: boolean;
}

function keyedCallsIn(file: string): KeyedCall[] {
  const made: KeyedCall[] = [];
  let depth = 0;
  const isRepeating = ({ callee }: ESTree.CallExpression): boolean =>
    callee.type === 'Identifier' && ['moveValue', 'callTwice'].includes(callee.name);
  new Visitor({
    CallExpression(node) {
      if (isRepeating(node)) depth += 1;
      const [first] = node.arguments;
      const isCall =
        node.callee.type === 'MemberExpression' &&
        node.callee.property.type === 'Identifier' &&
        node.callee.property.name === 'call';
      if (!isCall || first?.type !== 'Literal' || typeof first.value !== 'string') return;
      if (KEYED.has(first.value)) made.push({ file, name: first.value, isRepeated: depth > 0 });
    },
    'CallExpression:exit'(node) {
      if (isRepeating(node)) depth -= 1;
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return made;
}

describe('architecture', () => {
  const problems: string[] = [];
  let importCount = 0;
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const allowed = allowedFor(file);
    if (allowed === undefined) {
      problems.push(`${file}: its folder is not in the table`);
      continue;
    }
    const imports = importsOf(file, text);
    importCount += imports.length;
    problems.push(...importProblems(file, allowed, imports), ...textProblems(file, text));
  }

  it('holds in every file', () => {
    expect(problems).toEqual([]);
  });

  it('lets only the owner write a table: a capability writes the tables of its tables.ts', () => {
    const ownerOf = new Map(
      CAPABILITIES.flatMap((name) => {
        const file = `${MODULES}/${name}/tables.ts`;
        const declared = files.includes(file) ? readFileSync(file, 'utf8') : '';
        const block = declared.slice(declared.indexOf('interface Tables {'));
        return [...block.matchAll(/^ {4}(\w+): \w+;$/gm)].map(([, table = '']) => [table, name]);
      }),
    );
    const WRITE =
      /\b(?:insert into|update|delete from) ([a-z_]+)\b|\.(?:insertInto|updateTable|deleteFrom)\('(\w+)'/g;
    const foreignWrites = filesBelow(`${MODULES}/`).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(WRITE)].flatMap(([, inSql, inBuilder]) => {
        const table = inSql ?? inBuilder ?? '';
        const owner = ownerOf.get(table);
        return owner === undefined || file.startsWith(`${MODULES}/${owner}/`)
          ? []
          : [`${file} writes ${table}: ask ${owner} for a function or a fragment in its index.ts`];
      }),
    );
    expect(ownerOf.size).toBeGreaterThan(20);
    expect(foreignWrites).toEqual([]);
  });

  /** Tables of verification results, which are not part of the books. */
  const FINDINGS = ['ledger_verifications', 'ledger_checkpoints'];

  it('[P-049] lets SQL name tables and columns of the ledger in ledger/ alone', () => {
    const tables = [
      ...readFileSync('apps/api/schema.sql', 'utf8').matchAll(
        /^create table (\w+) \(\n([\s\S]*?)^\)/gm,
      ),
    ].map(([, table = '', body = '']) => ({
      table,
      isOfLedger: table.startsWith('ledger_') && !FINDINGS.includes(table),
      columns: [...body.matchAll(/^ {2}(?!constraint)(\w+) /gm)].map(([, column = '']) => column),
    }));
    const common = new Set(
      tables.filter(({ isOfLedger }) => !isOfLedger).flatMap(({ columns }) => columns),
    );
    // `code` is also a common word.
    const names = tables
      .filter(({ isOfLedger }) => isOfLedger)
      .flatMap(({ table, columns }) => [
        table,
        ...columns.filter((column) => column.includes('_') && !common.has(column)),
      ]);
    const named = new RegExp(`\\b(${names.join('|')}|post_batch)\\b`);
    const LEDGER = 'apps/api/src/ledger/';
    const withSql = filesBelow('apps/api/src/').filter(
      (file) =>
        !file.startsWith(LEDGER) &&
        (file.endsWith('.sql.ts') ||
          /\bsql(?:\.raw\(|<[^`]*>)?`|\.query\(/.test(readFileSync(file, 'utf8'))),
    );
    expect(names).toContain('debit_account_id');
    expect(withSql.length).toBeGreaterThan(100);
    expect(withSql.filter((file) => named.test(readFileSync(file, 'utf8')))).toEqual([]);

    // A fragment exported by a door becomes part of another capability's statement.
    const door = readFileSync(`${LEDGER}index.ts`, 'utf8');
    const fragments = filesBelow(LEDGER).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^export const (\w+) = [^;]*?(?:RawBuilder<|=\s+sql)[^;]*;/gm,
        ),
      ].filter(([, name = '']) => new RegExp(`\\b${name}\\b`).test(door)),
    );
    expect(fragments.map(([, name]) => name)).toContain('userAccountStateOf');
    expect(fragments.filter(([text]) => named.test(text)).map(([, name]) => name)).toEqual([]);
  });

  it('[D-008] [D-007] keeps the demo brand out of every program, except for the brand package and the demo data', () => {
    // Names of the code and of the wire, which stay the same under another brand: packages, the fields of D-005 and
    // D-006, database connections and roles, metrics and traces, settings of the native build.
    const OTHER_NAMES =
      /@athos\/|\bathosFee\b|\bathos_fee\b|\bATHOS_(?:FEE_BPS|API_URL|WALLET_URL)\b|application_?name: (?:namedHere\()?'athos-|'athos_[a-z_]+'|'athos\.[a-z_]+'|'service\.name': `athos-|\bathos_(?:owner|ledger|migrate|api|worker|read|monitor|backup)\b/gi;
    const named = ['apps/', 'packages/', 'mobile/'].flatMap(filesBelow).filter((file) => {
      const text = readFileSync(file, 'utf8').replaceAll(OTHER_NAMES, '');
      return /athos|meridian/i.test(text);
    });
    const elsewhere = named.filter(
      (file) => !/^packages\/brand\/|^apps\/api\/src\/seed\//.test(file),
    );
    expect(named.length).toBeGreaterThan(elsewhere.length);
    expect(elsewhere).toEqual([]);
    expect(filesWith('packages/brand/src/brand.ts', /const brand: Brand =/)).toHaveLength(1);
  });

  it('[D-019] [D-020] allows no float arithmetic where tokens are counted', () => {
    const floats = /\bparseFloat\(|\.toFixed\(|\bNumber\(|Math\.(round|floor|ceil)\(/;
    // On the server `Number` is for ids, which a float holds exactly, and for the rate, which the wire transmits as a number.
    const numbers =
      /\bparseFloat\(|\.toFixed\(|\bNumber\((?!(?:\w+\.)*(?:id|\w+Id|\w+_id)\)|rateText\()/;
    expect(filesWith('apps/api/src/', numbers)).toEqual([]);
    for (const folder of ['ledger', 'modules/shop']) {
      const rounding = filesWith(`apps/api/src/${folder}/`, /Math\.(round|floor|ceil|trunc)\(/);
      expect(rounding).toEqual([]);
    }
    expect(filesWith('packages/domain/src/money.ts', floats)).toEqual([]);
    expect(filesWith('packages/domain/src/purchase-price.ts', floats)).toEqual([]);
    const handRolled = filesWith(
      'apps/wallet/src/',
      /\bparseFloat\(|\.toFixed\(|1_?000_?000(?!n)\b/,
    );
    expect(handRolled).toEqual([]);
  });

  it('makes every call with a key inside moveValue or callTwice', () => {
    const made = ['packages/app-core/src/', 'apps/wallet/src/', 'apps/scanner/src/']
      .flatMap(filesBelow)
      .flatMap(keyedCallsIn);
    const bare = made.filter(({ isRepeated }) => !isRepeated);
    expect(bare.map(({ file, name }) => `${file}: ${bareCallAdvice(name)}`)).toEqual([]);
    // The test finds every keyed call, so it looks in the right places.
    expect([...new Set(made.map(({ name }) => name))].toSorted()).toEqual([...KEYED].toSorted());
  });

  it('[D-028] calls the API from the browser only through the typed client', () => {
    // One checks whether the API is up, one sends page views to another server, and one uploads files with progress.
    const folders = ['packages/app-core', 'apps/wallet', 'apps/scanner', 'apps/console'];
    const fetching = folders.flatMap((folder) =>
      filesWith(`${folder}/src/`, /\bfetch\(|XMLHttpRequest|EventSource\(/),
    );
    expect(fetching).toEqual([
      'packages/app-core/src/network.ts',
      'apps/wallet/src/state/page-views.ts',
      'apps/console/src/api/upload.ts',
    ]);
  });

  it('[D-102] calls the card provider only through its official SDKs', () => {
    const server = filesWith('apps/api/src/', /from 'stripe'/);
    expect(server.length).toBeGreaterThan(0);
    expect(server.every((file) => file.startsWith('apps/api/src/modules/cards/provider/'))).toBe(
      true,
    );
    const browser = filesWith('apps/wallet/src/', /from '@stripe\//);
    expect(browser.length).toBeGreaterThan(0);
    expect(browser.every((file) => file.startsWith('apps/wallet/src/features/buy/'))).toBe(true);
  });

  it('[D-104] keeps the sandbox a separate package that imports none of ours and that no program imports', () => {
    expect(MAY_IMPORT['dev/sandbox']).toEqual([]);
    expect(manifests.has('dev/sandbox')).toBe(true);
    const programs = files.filter(
      (file) => /^(apps|packages)\/[^/]+\/src\//.test(file) && !isTest(file),
    );
    const reached = programs.filter((file) =>
      importsOf(file, readFileSync(file, 'utf8')).some(({ specifier }) =>
        /^@athos\/sandbox\b|\bdev\/sandbox\b/.test(specifier),
      ),
    );
    expect(programs.length).toBeGreaterThan(100);
    expect(reached).toEqual([]);
  });

  it('has no unused messages', () => {
    const keys = globSync('packages/messages/messages/*/en.json').flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object),
    );
    // The native projects repeat some messages; their own test compares them.
    const isUser = (file: string) => /^(apps|packages)\//.test(file) && !isTest(file);
    const code = files.filter((file) => isUser(file) || file.startsWith('mobile/'));
    const words = new Set(code.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
    const unused = keys.filter((key) => key !== '$schema' && !words.has(key));
    expect(keys.length).toBeGreaterThan(500);
    expect(unused).toEqual([]);
  });

  it('covers the whole tree', () => {
    expect(files.length).toBeGreaterThanOrEqual(FILE_COUNT_MIN);
    expect(importCount).toBeGreaterThanOrEqual(IMPORT_COUNT_MIN);
  });
});
