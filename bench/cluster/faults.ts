/** The faults, each with how it is made and undone, and how long writes may be away. */
import { setTimeout as pause } from 'node:timers/promises';
import { cancelCommits, findLateJobs, readClockLead } from './audit.sql.ts';
import type { Cluster } from './cluster.ts';

export interface Fault {
  readonly name: string;
  readonly what: string;
  /** The longest time in which no write was acknowledged, worst of its runs. */
  readonly outageMsMax: number;
  /** The rows of docs/spec/rows-operations.tsv that its outage proves. */
  readonly rows: readonly string[];
  /** How long it lasts. Left out: until writes are back. */
  readonly holdMs?: number;
  /** Where the outage counts from: when it is made, or when it is undone, if nothing can be written in between. */
  readonly countsFrom?: 'undone';
  /** Whether a user may see an error: a request and its one repeat without an answer. */
  readonly mayUsersSeeErrors: boolean;
  /** What must be so before the load begins. */
  readonly prepare?: (cluster: Cluster) => Promise<void>;
  /** Looks for what must be right before the fault is undone. */
  readonly check?: (cluster: Cluster) => Promise<string[]>;
  /** Makes the fault, and returns what undoes it. */
  readonly make: (cluster: Cluster) => Promise<() => Promise<void>>;
}

const OUTAGE_MAX = 25_000;
const FREEZE_MS = 24_000;
const FULL_DISK_MS = 15_000;
const CUT_MS = 30_000;
const CANCEL_EVERY_MS = 500;
const STANDBYS_FROZEN_MS = 8_000;
const CLOCK_JUMP_S = 90;
const CLOCK_WRONG_MS = 10_000;
const MAILBOX_FROZEN_MS = 4_000;
const JOB_AGE_S_MAX = 25;
const nothingToUndo = (): Promise<void> => Promise.resolve();

export const FAULTS: readonly Fault[] = [
  {
    name: 'switchover',
    what: 'planned switchover',
    outageMsMax: 5_000,
    rows: ['P-031'],
    mayUsersSeeErrors: false,
    async make({ primary, standbys }) {
      const [from, [to]] = [await primary(), await standbys()];
      if (to !== undefined) await from.switchTo(to);
      return nothingToUndo;
    },
  },
  {
    name: 'kill-postgres',
    what: "kill -9 of the primary's PostgreSQL",
    outageMsMax: 6_000,
    rows: ['P-030'],
    mayUsersSeeErrors: true,
    async make({ primary }) {
      process.kill((await primary()).postmasterPid(), 'SIGKILL');
      return nothingToUndo;
    },
  },
  {
    name: 'kill-node',
    what: "kill -9 of everything on the primary's node",
    outageMsMax: OUTAGE_MAX,
    rows: ['P-026'],
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const node = await primary();
      await node.machine.killAll();
      return () => Promise.resolve(node.start());
    },
  },
  {
    name: 'freeze-postgres',
    what: "freeze the primary's PostgreSQL, thaw after 24 s",
    outageMsMax: OUTAGE_MAX,
    rows: ['P-027'],
    holdMs: FREEZE_MS,
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const node = await primary();
      await node.signalPostgres('SIGSTOP');
      return () => node.signalPostgres('SIGCONT');
    },
  },
  {
    name: 'freeze-node',
    what: "freeze the primary's node, thaw after 24 s",
    outageMsMax: OUTAGE_MAX,
    rows: [],
    holdMs: FREEZE_MS,
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const { machine } = await primary();
      await machine.freeze();
      return () => machine.thaw();
    },
  },
  {
    name: 'cut-node',
    what: "cut the primary's node off, heal",
    outageMsMax: OUTAGE_MAX,
    rows: ['P-028'],
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const { port } = (await primary()).machine;
      await port.cutOff();
      return () => port.heal();
    },
  },
  {
    name: 'cut-peers',
    what: 'cut the primary off from databases and etcd, not from the API',
    outageMsMax: OUTAGE_MAX,
    rows: [],
    mayUsersSeeErrors: true,
    async make({ primary, standbys, etcd }) {
      const { port } = (await primary()).machine;
      const others = [...(await standbys()), ...etcd].map(({ machine }) => machine.port);
      await port.cutFrom(others);
      return () => port.healTo(others);
    },
  },
  {
    name: 'cancel-commits',
    what: 'the same for 30 s, while somebody cancels commits that wait',
    outageMsMax: OUTAGE_MAX,
    rows: [],
    holdMs: CUT_MS,
    mayUsersSeeErrors: true,
    async make({ databaseUrl, primary, standbys, etcd }) {
      const [url, { machine }] = [await databaseUrl(), await primary()];
      const others = [...(await standbys()), ...etcd].map((one) => one.machine.port);
      await machine.port.cutFrom(others);
      // It fails once the server is no longer the primary, and nobody waits there any more.
      const timer = setInterval(
        () => void cancelCommits(url).catch(() => undefined),
        CANCEL_EVERY_MS,
      );
      return () => {
        clearInterval(timer);
        return machine.port.healTo(others);
      };
    },
  },
  {
    name: 'kill-standby',
    what: "kill -9 of everything on the answering standby's node",
    outageMsMax: 1_000,
    rows: ['P-033'],
    holdMs: 5_000,
    mayUsersSeeErrors: false,
    async make({ standbys }) {
      const [node] = await standbys();
      await node?.machine.killAll();
      return () => Promise.resolve(node?.start());
    },
  },
  {
    name: 'freeze-standbys',
    what: 'freeze both standbys, thaw after 8 s',
    outageMsMax: 12_000,
    rows: [],
    holdMs: STANDBYS_FROZEN_MS,
    mayUsersSeeErrors: true,
    async make({ standbys }) {
      const nodes = await standbys();
      await Promise.all(nodes.map((node) => node.signalPostgres('SIGSTOP')));
      return async () => {
        await Promise.all(nodes.map((node) => node.signalPostgres('SIGCONT')));
      };
    },
  },
  {
    name: 'clock-jump',
    what: "the primary's clock jumps ahead by 90 s, and back after 10 s",
    outageMsMax: OUTAGE_MAX,
    rows: [],
    holdMs: CLOCK_WRONG_MS,
    mayUsersSeeErrors: true,
    async prepare({ primary, standbys, untilWhole }) {
      const [from, [node]] = [await primary(), await standbys()];
      if (node === undefined) throw new Error('no standby');
      node.moveClock(0);
      await node.restart();
      await untilWhole();
      await from.switchTo(node);
      await untilWhole();
    },
    async check({ databaseUrl }) {
      const lead = await readClockLead(await databaseUrl());
      return lead > CLOCK_JUMP_S / 2 ? [] : [`the clock is ${lead.toFixed(1)} s ahead only`];
    },
    async make({ primary }) {
      const node = await primary();
      node.moveClock(CLOCK_JUMP_S);
      return () => Promise.resolve(node.moveClock(0));
    },
  },
  {
    name: 'kill-etcd-leader',
    what: "kill -9 of etcd's leader",
    outageMsMax: 3_000,
    rows: [],
    holdMs: 10_000,
    mayUsersSeeErrors: false,
    async make({ etcd }) {
      const leader = await findEtcdLeader(etcd);
      await leader.machine.killAll();
      return () => Promise.resolve(leader.start());
    },
  },
  {
    name: 'kill-etcd-quorum',
    what: 'two of three members of etcd away for 30 s',
    outageMsMax: 1_000,
    rows: ['P-034'],
    holdMs: 30_000,
    mayUsersSeeErrors: false,
    async make({ etcd: [first, second] }) {
      for (const member of [first, second]) await member?.machine.killAll();
      return () => {
        for (const member of [first, second]) member?.start();
        return Promise.resolve();
      };
    },
  },
  {
    name: 'kill-node-and-etcd-leader',
    what: "kill -9 of the primary's node and of etcd's leader at once",
    outageMsMax: 45_000,
    rows: ['P-029'],
    mayUsersSeeErrors: true,
    async make({ primary, etcd }) {
      const [node, leader] = [await primary(), await findEtcdLeader(etcd)];
      await Promise.all([node.machine.killAll(), leader.machine.killAll()]);
      return () => {
        leader.start();
        node.start();
        return Promise.resolve();
      };
    },
  },
  {
    name: 'kill-proxies',
    what: 'kill the HAProxy of each API machine, back after 1 s',
    outageMsMax: 3_000,
    rows: [],
    holdMs: 1_000,
    mayUsersSeeErrors: false,
    async make({ applications, startProxies }) {
      for (const { machine } of applications) {
        await machine.kill('haproxy-database');
        await machine.kill('haproxy-forwards');
      }
      return () => Promise.resolve(applications.forEach(startProxies));
    },
  },
  {
    name: 'fill-standby',
    what: "a standby's disk is full",
    outageMsMax: 3_000,
    rows: ['P-035'],
    holdMs: FULL_DISK_MS,
    mayUsersSeeErrors: false,
    async make({ standbys }) {
      const [node] = await standbys();
      node?.fillDisk();
      return () => Promise.resolve(node?.freeDisk());
    },
  },
  {
    name: 'fill-primary',
    what: "the primary's disk is full, and freed after 15 s",
    outageMsMax: 5_000,
    rows: ['P-036'],
    holdMs: FULL_DISK_MS,
    countsFrom: 'undone',
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const node = await primary();
      node.fillDisk();
      return () => Promise.resolve(node.freeDisk());
    },
  },
  {
    name: 'kill-api',
    what: 'kill -9 of one of two API processes, back after 10 s',
    outageMsMax: 1_000,
    rows: [],
    holdMs: 10_000,
    mayUsersSeeErrors: false,
    async make({ applications: [application], startApi }) {
      if (application === undefined) throw new Error('no application');
      await application.machine.kill('api');
      return () => Promise.resolve(startApi(application));
    },
  },
  {
    name: 'kill-worker',
    what: 'kill -9 of one of two workers',
    outageMsMax: 1_000,
    rows: [],
    holdMs: 30_000,
    mayUsersSeeErrors: false,
    check: async ({ databaseUrl }) => findLateJobs(await databaseUrl(), JOB_AGE_S_MAX),
    async make({ applications: [application], startWorker, outside }) {
      if (application === undefined) throw new Error('no application');
      // While no mail is taken, both workers hold jobs.
      outside.signalMailbox('SIGSTOP');
      await pause(MAILBOX_FROZEN_MS);
      await application.machine.kill('worker');
      outside.signalMailbox('SIGCONT');
      return () => Promise.resolve(startWorker(application));
    },
  },
];

async function findEtcdLeader(members: Cluster['etcd']): Promise<Cluster['etcd'][number]> {
  for (const member of members) {
    const url = `http://${member.machine.address}:2379/v3/maintenance/status`;
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    const { leader, header } = (await answer.json()) as {
      leader: string;
      header: { member_id: string };
    };
    if (leader === header.member_id) return member;
  }
  throw new Error('etcd has no leader');
}
