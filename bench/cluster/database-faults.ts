/** Faults of the database nodes. */
import { beginWalSegment, cancelCommits, readClockLead } from './audit.sql.ts';
import { leaderOf } from './etcd.ts';
import type { Fault } from './faults.ts';

const OUTAGE_MAX = 25_000;
const FREEZE_MS = 24_000;
const FULL_DISK_MS = 15_000;
const CUT_MS = 30_000;
const CANCEL_EVERY_MS = 500;
const STANDBYS_FROZEN_MS = 8_000;
const CLOCK_JUMP_S = 90;
const CLOCK_WRONG_MS = 10_000;
const nothingToUndo = (): Promise<void> => Promise.resolve();

export const DATABASE_FAULTS: readonly Fault[] = [
  {
    name: 'switchover',
    what: 'planned switchover',
    outageMsMax: 5_000,
    proves: '[P-031]',
    mayUsersSeeErrors: false,
    async make({ primary }) {
      await (await primary()).handOver();
      return nothingToUndo;
    },
  },
  {
    name: 'kill-postgres',
    what: "kill -9 of the primary's PostgreSQL",
    outageMsMax: 6_000,
    proves: '[P-030]',
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
    proves: '[P-026]',
    mayUsersSeeErrors: true,
    async make({ primary }) {
      const node = await primary();
      await node.machine.killAll();
      return () => Promise.resolve(node.start());
    },
  },
  {
    name: 'kill-node-and-etcd-leader',
    what: "kill -9 of the primary's node and of etcd's leader at once",
    outageMsMax: 45_000,
    proves: '[P-029]',
    mayUsersSeeErrors: true,
    async make({ primary, etcd }) {
      const [node, leader] = [await primary(), await leaderOf(etcd)];
      await Promise.all([node.machine.killAll(), leader.machine.killAll()]);
      return () => {
        leader.start();
        node.start();
        return Promise.resolve();
      };
    },
  },
  {
    name: 'freeze-postgres',
    what: "freeze the primary's PostgreSQL, thaw after 24 s",
    outageMsMax: OUTAGE_MAX,
    proves: '[P-027]',
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
    proves: '[P-028]',
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
    what: 'cut the primary off from databases and etcd for 30 s, while somebody cancels commits that wait',
    outageMsMax: OUTAGE_MAX,
    holdMs: CUT_MS,
    mayUsersSeeErrors: true,
    async make({ databaseUrl, primary, standbys, etcd }) {
      const [url, { machine }] = [await databaseUrl(), await primary()];
      const others = [...(await standbys()), ...etcd].map((one) => one.machine.port);
      await machine.port.cutFrom(others);
      // The query fails once the server is no longer the primary. No commit waits there then.
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
    proves: '[P-033]',
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
    holdMs: CLOCK_WRONG_MS,
    mayUsersSeeErrors: true,
    async prepare({ primary, standbys, untilWhole }) {
      const [from, [node]] = [await primary(), await standbys()];
      if (node === undefined) throw new Error('no standby');
      node.moveClock(0);
      await node.restart();
      await untilWhole();
      await from.handOver(node);
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
    name: 'fill-standby',
    what: "a standby's disk is full",
    outageMsMax: 3_000,
    proves: '[P-035]',
    holdMs: FULL_DISK_MS,
    mayUsersSeeErrors: false,
    // A standby could follow for as long in the room that it already has.
    async check({ databases }) {
      const hasFoundNone = databases.some(({ machine }) => machine.hasFoundNoRoom('patroni'));
      return hasFoundNone ? [] : ['no standby has found its disk full'];
    },
    async make({ standbys }) {
      const [node] = await standbys();
      await node?.machine.fillDisk();
      return async () => node?.machine.freeDisk();
    },
  },
  {
    name: 'fill-primary',
    what: "the primary's disk is full, and freed after 15 s",
    outageMsMax: 5_000,
    proves: '[P-036]',
    holdMs: FULL_DISK_MS,
    countsFrom: 'undone',
    mayUsersSeeErrors: true,
    mustRefuse: true,
    // Also wrong if another node has become the primary.
    async check({ primary }) {
      const hasFoundNone = (await primary()).machine.hasFoundNoRoom('patroni');
      return hasFoundNone ? [] : ['the primary has not found its disk full'];
    },
    async make({ primary, databaseUrl }) {
      const { machine } = await primary();
      // Here WAL lies on the same disk. A PostgreSQL without room for its next segment would stop, and another node take over.
      await beginWalSegment(await databaseUrl());
      await machine.fillDisk();
      return () => machine.freeDisk();
    },
  },
];
