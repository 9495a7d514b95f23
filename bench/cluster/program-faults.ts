/** Faults of everything around the databases: etcd, proxies and our programs. */
import { countHeldJobs, findLateJobs } from './audit.sql.ts';
import { hasAnchorSince, PICTURE_PATH, storePicture } from './bucket.ts';
import { until } from './cluster.ts';
import type { Edge } from './edge.ts';
import { ask, withSession } from './edge-rules.ts';
import { leaderOf, type EtcdMember } from './etcd.ts';
import type { Fault } from './faults.ts';

const JOB_AGE_S_MAX = 25;
/** More than the API's connections to the database, so that pictures that wait with one would leave none for writes. */
const PICTURES_AT_ONCE = 50;
/** A member's database takes room 16 MB at a time, and a start fills what it has taken. Each write takes 1 MB of it. */
const WRITES_MAX = 40;

export const PROGRAM_FAULTS: readonly Fault[] = [
  {
    name: 'kill-etcd-leader',
    what: "kill -9 of etcd's leader",
    outageMsMax: 3_000,
    holdMs: 10_000,
    mayUsersSeeErrors: false,
    async make({ etcd }) {
      const leader = await leaderOf(etcd);
      await leader.machine.killAll();
      return () => Promise.resolve(leader.start());
    },
  },
  {
    name: 'kill-etcd-quorum',
    what: 'two of three members of etcd away for 30 s',
    outageMsMax: 1_000,
    proves: '[P-034]',
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
    name: 'fill-etcd',
    what: "the disks of etcd's leader and another member are full for 30 s",
    outageMsMax: 1_000,
    holdMs: 30_000,
    mayUsersSeeErrors: false,
    check({ etcd }) {
      const found = etcd.filter(({ machine }) => machine.hasFoundNoRoom('etcd'));
      const isRight = found.length === 2;
      return Promise.resolve(
        isRight ? [] : [`${found.length} members of etcd found no room, not 2`],
      );
    },
    async make({ etcd }) {
      const leader = await leaderOf(etcd);
      const [other] = etcd.filter((member) => member !== leader);
      const full = [leader, ...(other === undefined ? [] : [other])];
      await Promise.all(full.map(({ machine }) => machine.fillDisk()));
      await writeUntilFull(full);
      return async () => {
        for (const member of full) {
          await member.machine.freeDisk();
          await member.startAgain();
        }
      };
    },
  },
  {
    name: 'kill-proxies',
    what: 'kill the HAProxy of each API machine, back after 1 s',
    outageMsMax: 3_000,
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
    name: 'kill-api',
    what: 'kill -9 of one of two API processes, back after 10 s',
    outageMsMax: 1_000,
    holdMs: 10_000,
    mayUsersSeeErrors: false,
    async make({ applications: [application], startApi }) {
      if (application === undefined) throw new Error('no application');
      await application.machine.kill('api');
      return () => Promise.resolve(startApi(application));
    },
  },
  {
    name: 'roll',
    what: 'end each API process and start it again, one after the other',
    outageMsMax: 3_000,
    mayUsersSeeErrors: false,
    mustAnswerAll: true,
    async make({ applications, startApi }) {
      for (const application of applications) {
        await application.machine.kill('api', 'SIGTERM');
        startApi(application);
        await until('a ready API process', () => application.isReady());
      }
      return () => Promise.resolve();
    },
  },
  {
    name: 'stop-bucket',
    what: 'freeze the bucket of pictures and anchors, thaw after 20 s',
    outageMsMax: 3_000,
    holdMs: 20_000,
    mayUsersSeeErrors: false,
    prepare: async ({ settingsOf, databaseUrl }) => storePicture(settingsOf(await databaseUrl())),
    check: ({ edge }) => wrongPictures(edge, 503),
    make({ outside }) {
      outside.signalBucket('SIGSTOP');
      return Promise.resolve(() => Promise.resolve(outside.signalBucket('SIGCONT')));
    },
    async checkBack({ edge }, since) {
      const wrong = await wrongPictures(edge, 200);
      await until('an anchor that is newer than the fault', () => hasAnchorSince(since)).catch(
        (error: unknown) => wrong.push(String(error)),
      );
      return wrong;
    },
  },
  {
    name: 'kill-worker',
    what: 'kill -9 of one of two workers, while it runs a job',
    outageMsMax: 1_000,
    holdMs: JOB_AGE_S_MAX * 1_000,
    mayUsersSeeErrors: false,
    check: async ({ databaseUrl }) => findLateJobs(await databaseUrl(), JOB_AGE_S_MAX),
    async make({ applications: [application], startWorker, outside, databaseUrl }) {
      if (application === undefined) throw new Error('no application');
      const { machine } = application;
      const [url, pid] = [await databaseUrl(), machine.pidOf('worker')];
      // While the mail server accepts nothing, jobs that send mails do not end.
      outside.signalMailbox('SIGSTOP');
      await until('a job of the worker', async () => (await countHeldJobs(url, pid)) > 0);
      await machine.kill('worker');
      outside.signalMailbox('SIGCONT');
      return () => Promise.resolve(startWorker(application));
    },
  },
];

/** Until each of the members has logged that it found no room. */
async function writeUntilFull(members: readonly EtcdMember[]): Promise<void> {
  const unaware = (): EtcdMember[] =>
    members.filter(({ machine }) => !machine.hasFoundNoRoom('etcd'));
  for (let count = 0; count < WRITES_MAX; count++) {
    const [member] = unaware();
    if (member === undefined) return;
    await member.writeMuch();
  }
}

/** Asks for many pictures at once, and returns the statuses that are not the wanted one. P-025 limits how long the API may take. */
async function wrongPictures(edge: Edge, wanted: number): Promise<string[]> {
  const statuses = await withSession(edge, (session) =>
    Promise.all(Array.from({ length: PICTURES_AT_ONCE }, () => ask(session, PICTURE_PATH))),
  );
  const wrong = statuses.filter((status) => status !== wanted);
  return wrong.length === 0 ? [] : [`pictures were answered ${wrong.join()} and not ${wanted}`];
}
