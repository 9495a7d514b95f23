/** The settings that the files of `deploy/` pass to each program: the configuration accepts them and knows every name. */
import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { root } from '../start/paths.ts';

type Environment = Record<string, string>;

/** Read by the C library and not by the configuration. */
const OTHER_NAMES = ['MALLOC_ARENA_MAX'];

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const key = () => randomBytes(32).toString('base64url');
/** Values that an operator fills in. */
const SECRETS: Readonly<Environment> = {
  DATABASE_URL: 'postgres://athos_api:password@database.example.com/athos',
  SIGNING_KEYS: key(),
  QR_SIGNING_KEYS: key(),
  DATA_KEYS: key(),
  RECEIPT_KEY: key(),
  HASHING_KEYS: key(),
  SMTP_URL: 'smtps://name:password@mail.example.com',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  ANCHOR_S3_ACCESS_KEY_ID: 'id',
  ANCHOR_S3_SECRET_ACCESS_KEY: 'secret',
  MEDIA_S3_ACCESS_KEY_ID: 'id',
  MEDIA_S3_SECRET_ACCESS_KEY: 'secret',
};
for (const [name, value] of Object.entries(SECRETS)) writeFileSync(join(folder, name), value);
writeFileSync(join(folder, 'ca.crt'), 'a certificate');

const deployed = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');

/** Replaces paths of the machine by files of this test. A setting that names any other file is a fault. */
const placed = (given: Environment): Environment =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      name === 'DATABASE_CA_FILE'
        ? join(folder, 'ca.crt')
        : name.endsWith('_FILE')
          ? join(folder, basename(value))
          : value,
    ]),
  );

function ofUnit(name: string): Environment {
  const text = deployed(`systemd/${name}`).replaceAll('%i', '8');
  const lines = [...text.matchAll(/^Environment=(.*)$/gm)].map(([, words]) => words ?? '');
  const own = parseEnv(lines.join(' ').replaceAll(' ', '\n')) as Environment;
  const credentials = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, id]) => id ?? '');
  const read = Object.values(own).filter((value) => value.startsWith('%d/'));
  expect(read.map((value) => value.slice('%d/'.length)).toSorted()).toEqual(credentials.toSorted());
  const files = [...text.matchAll(/^EnvironmentFile=\/etc\/athos\/(.*)$/gm)];
  const shared = files.map(([, file]) => parseEnv(deployed(`systemd/${file}`)) as Environment);
  return Object.assign({}, own, ...shared) as Environment;
}

function ofService(name: string): Environment {
  const { services } = parse(deployed('compose/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment: Environment }>;
  };
  const filled = parseEnv(
    deployed('compose/trial.env').replaceAll(/=$/gm, '=filled'),
  ) as Environment;
  const test = {
    ...filled,
    ...SECRETS,
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  };
  const given = Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
    variable,
    value.replaceAll(
      /\$\{(\w+)(?::-([^}]*)|:\?)\}/g,
      (_, wanted: string, byDefault?: string) =>
        byDefault ?? test[wanted as keyof typeof test] ?? '',
    ),
  ]);
  return Object.fromEntries(given) as Environment;
}

function ofPod(name: string): Environment {
  const [text = ''] = deployed(`kubernetes/base/${name}.yaml`).split('\n---\n');
  const { spec } = parse(text) as {
    spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
  };
  const env = spec.template.spec.containers[0]?.env ?? [];
  const own = Object.fromEntries(env.map((one) => [one.name, one.value]));
  return { ...(parseEnv(deployed('kubernetes/base/settings.env')) as Environment), ...own };
}

/** The quoted names in the topics of the configuration. */
const known = new Set(
  globSync('apps/api/src/config/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/'([A-Z][A-Z0-9_]+)'/g)])
    .map(([, name]) => name ?? ''),
);
const isKnown = (name: string): boolean =>
  known.has(name) || known.has(name.replace(/_FILE$/, '')) || OTHER_NAMES.includes(name);

const PROGRAMS: readonly (readonly [string, () => Environment])[] = [
  ...[
    'athos-api@.service',
    'athos-console.service',
    'athos-worker@.service',
    'athos-migrate.service',
  ].map((name) => [name, () => ofUnit(name)] as const),
  ...['migrate', 'api', 'worker'].map(
    (name) => [`compose ${name}`, () => ofService(name)] as const,
  ),
  ...['migrate', 'api', 'worker', 'console'].map(
    (name) => [`pod ${name}`, () => ofPod(name)] as const,
  ),
];

it.each(PROGRAMS)(
  '%s gives every setting that is required, and none that nobody reads',
  (_, environment) => {
    const given = environment();
    expect(Object.keys(given).filter((name) => !isKnown(name))).toEqual([]);
    expect(() => readConfig(placed(given))).not.toThrow();
  },
);

it.each([
  ['unit', () => ofUnit('athos-worker@.service'), () => ofUnit('athos-api@.service')],
  ['pod', () => ofPod('worker'), () => ofPod('api')],
])(
  'the %s of the worker anchors the ledger, and that of the API has no such key',
  (_, worker, api) => {
    expect(readConfig(placed(worker())).anchorBucket).toMatchObject({ bucket: 'athos-anchors' });
    expect(Object.keys(api()).filter((name) => name.startsWith('ANCHOR_'))).toEqual([]);
  },
);

it('a unit without one of its secrets would not start', () => {
  const { HASHING_KEYS_FILE: _, ...rest } = placed(ofUnit('athos-api@.service'));
  expect(() => readConfig(rest)).toThrow('HASHING_KEYS: is missing');
});

it('lets the backup write where pgbackrest.conf says', () => {
  const [, writable = ''] =
    /^ReadWritePaths=(.*)$/m.exec(deployed('systemd/athos-backup@.service')) ?? [];
  const paths = [...deployed('database/pgbackrest.conf').matchAll(/^\w+-path = (.*)$/gm)]
    .map(([line, path]) => ({ line, path: path ?? '' }))
    .filter(({ line }) => /^(?:lock|spool|log)-path/.test(line))
    .map(({ path }) => path);
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    expect(writable.split(' ').some((folder) => path.startsWith(folder))).toBe(true);
  }
});

interface Deployed {
  readonly kind: string;
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly name: string;
          readonly ports: readonly { readonly name: string }[];
          readonly readinessProbe?: { readonly httpGet: { readonly port: string } };
        }[];
      };
    };
  };
}

it('each program that is replaced pod by pod says when it is ready, on a port that it opens', () => {
  const containers = globSync('deploy/kubernetes/base/*.yaml', { cwd: root })
    .flatMap((file) => readFileSync(join(root, file), 'utf8').split('\n---\n'))
    .map((text) => parse(text) as Deployed)
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ spec }) => spec.template.spec.containers);
  const asked = containers.map(({ name, ports, readinessProbe }) => [
    name,
    ports.find((port) => port.name === readinessProbe?.httpGet.port)?.name,
  ]);
  expect(Object.fromEntries(asked)).toEqual({ api: 'http', console: 'http', worker: 'metrics' });
});
