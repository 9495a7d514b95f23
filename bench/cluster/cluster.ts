/** The whole system: databases, etcd, proxies, programs and external services. */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../../apps/api/src/migrate.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { ensureRoles } from '../../apps/api/src/roles.ts';
import { applicationMachines, settings, type ApplicationMachine } from './application.ts';
import { Certificates } from './certificates.ts';
import { databaseNodes, SUPERUSER_PASSWORD, type DatabaseNode } from './database.ts';
import { Edge } from './edge.ts';
import { etcdMembers, type EtcdMember } from './etcd.ts';
import type { World } from './machine.ts';
import { makeNetwork } from './network.ts';
import { Outside } from './outside.ts';

const UP_LIMIT_MS = 90_000;
const LOOK_EVERY_MS = 250;

export interface Cluster {
  readonly databases: readonly DatabaseNode[];
  readonly etcd: readonly EtcdMember[];
  readonly applications: readonly ApplicationMachine[];
  readonly edge: Edge;
  readonly outside: Outside;
  /** A program's settings, for preparations that use the product's own code. */
  readonly settingsOf: (databaseUrl: string) => Record<string, string>;
  /** The certificate of the authority that vouches for etcd and the databases. */
  readonly authorityFile: string;
  /** `nodeOptions` are Node's options for the process, for a control that breaks the program. */
  readonly startApi: (application: ApplicationMachine, nodeOptions?: string) => void;
  readonly startWorker: (application: ApplicationMachine) => void;
  readonly startProxies: (application: ApplicationMachine) => void;
  readonly startEdge: () => void;
  readonly primary: () => Promise<DatabaseNode>;
  readonly standbys: () => Promise<DatabaseNode[]>;
  /** The programme's database on the current primary, without a proxy. */
  readonly databaseUrl: () => Promise<string>;
  /** Resolves when both standbys have caught up, all programs run, and the edge finds both APIs ready. Does not look at etcd. */
  readonly untilWhole: () => Promise<void>;
}

export async function startCluster(world: World): Promise<Cluster> {
  mkdirSync(world.folder, { recursive: true });
  await makeNetwork();
  const [databases, etcd] = [databaseNodes(world), etcdMembers(world)];
  const [applications, edge, outside] = [
    applicationMachines(world),
    new Edge(world),
    new Outside(world),
  ];
  const certificates = new Certificates(world);
  const { authorityFile } = certificates;
  const connected = {
    databaseAddresses: databases.map(({ machine }) => machine.address),
    settings: settings({ edgeUrl: edge.url, folder: world.folder, authorityFile }),
    databasePassword: SUPERUSER_PASSWORD,
  };
  const cluster: Cluster = {
    databases,
    etcd,
    applications,
    edge,
    outside,
    authorityFile,
    settingsOf: (databaseUrl) => ({
      ...connected.settings,
      // The settings say how the server is verified.
      DATABASE_URL: databaseUrl.replace(/\?.*$/, ''),
    }),
    startApi: (application, nodeOptions = '') => application.startApi(connected, nodeOptions),
    startWorker: (application) => application.startWorker(connected),
    startProxies: (application) => application.startProxies(connected),
    startEdge: () => edge.start(applications.map(({ api }) => api)),
    primary: () => primaryOf(databases),
    async standbys() {
      const primary = await primaryOf(databases);
      return databases.filter((node) => node !== primary);
    },
    async databaseUrl() {
      return (await primaryOf(databases)).urlOf('athos');
    },
    untilWhole: () => untilWhole(cluster),
  };
  await startDatabases(cluster, certificates);
  await ensureRoles(await cluster.databaseUrl(), {
    athos_api: SUPERUSER_PASSWORD,
    athos_worker: SUPERUSER_PASSWORD,
    athos_monitor: SUPERUSER_PASSWORD,
  });
  await migrate(await cluster.databaseUrl(), createLog('warn'));
  await outside.start(edge.machine.address);
  for (const application of applications) {
    await application.build(authorityFile);
    cluster.startProxies(application);
    cluster.startApi(application);
    cluster.startWorker(application);
  }
  await edge.build();
  cluster.startEdge();
  await cluster.untilWhole();
  return cluster;
}

async function startDatabases(
  { etcd, databases, primary }: Cluster,
  certificates: Certificates,
): Promise<void> {
  for (const member of etcd) {
    await member.build(certificates);
    member.start();
  }
  certificates.trust();
  for (const node of databases) await node.build(certificates);
  for (const node of databases) node.start();
  await until('a database with two standbys', () => isReplicated(databases));
  await createDatabase(await primary());
}

/** @throws Error with what each part of the cluster says of itself, if it is not whole in time */
async function untilWhole(cluster: Cluster): Promise<void> {
  try {
    await until('the cluster is whole', () => isWhole(cluster));
  } catch (cause) {
    const { databases, applications } = cluster;
    const ready = await Promise.all(applications.map((application) => application.isReady()));
    const views = await Promise.all(databases.map((node) => node.readMembers()));
    const state = { ready, members: views.map((members) => members ?? 'no answer') };
    throw new Error(`the cluster is not whole: ${JSON.stringify(state)}`, { cause });
  }
}

async function isWhole({ databases, applications, edge }: Cluster): Promise<boolean> {
  const areReady = await Promise.all(applications.map((application) => application.isReady()));
  const foundCount = await edge.readyCount().catch(() => 0);
  return (
    areReady.every(Boolean) && foundCount === applications.length && (await isReplicated(databases))
  );
}

/** Whether there is a primary, from which both other nodes stream without a lag. */
async function isReplicated(databases: readonly DatabaseNode[]): Promise<boolean> {
  const views = await Promise.all(databases.map((node) => node.readMembers()));
  return views.every((members) => {
    const leaders = members?.filter(({ role, state }) => role === 'leader' && state === 'running');
    const streaming = members?.filter(
      ({ role, state, lag }) => role === 'quorum_standby' && state === 'streaming' && lag === 0,
    );
    return leaders?.length === 1 && streaming?.length === databases.length - 1;
  });
}

async function primaryOf(databases: readonly DatabaseNode[]): Promise<DatabaseNode> {
  let found: DatabaseNode | undefined;
  await until('a primary', async () => {
    const arePrimary = await Promise.all(databases.map((node) => node.isPrimary()));
    found = databases[arePrimary.indexOf(true)];
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no primary');
  return found;
}

async function createDatabase(node: DatabaseNode): Promise<void> {
  const client = new pg.Client({ connectionString: node.urlOf('postgres') });
  await client.connect();
  try {
    await client.query('create database athos');
  } finally {
    await client.end();
  }
}

/** @throws Error that names the condition that was not met in time */
export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  limitMs = UP_LIMIT_MS,
): Promise<void> {
  for (const deadline = performance.now() + limitMs; performance.now() < deadline;) {
    if (await isSo()) return;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`after ${limitMs / 1000} s there is not: ${what}`);
}
