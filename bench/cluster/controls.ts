/** Controls that must fail: each removes one protection of the money, and the audit must find the damage. */
import { join } from 'node:path';
import { until, type Cluster } from './cluster.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { TrialResult } from './trial.ts';

export interface Control {
  readonly name: string;
  readonly what: string;
  /** The fault that reveals the damage. */
  readonly fault: Fault;
  readonly hasNewKeyPerRepeat?: boolean;
  /** Removes the protection, and returns a function that restores it. */
  readonly weaken: (cluster: Cluster) => Promise<() => Promise<void>>;
}

const DEAF = importOf('deaf-to-notices.ts');
const WITHOUT_BARRIER = importOf('without-barrier.ts');

function faultOf(name: string): Fault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`no fault ${name}`);
  return found;
}

/** Long enough for the election of another primary while the old one still accepts writes. */
const CUT: Fault = { ...faultOf('cut-peers'), holdMs: 30_000 };

export const CONTROLS: readonly Control[] = [
  {
    name: 'asynchronous',
    what: 'replication without waiting for a standby',
    fault: CUT,
    async weaken({ primary }) {
      const node = await primary();
      await node.configure({ synchronous_mode: 'off', synchronous_mode_strict: false });
      await until('no synchronous standby', async () => {
        const members = (await node.readMembers()) ?? [];
        return members.every(({ role }) => role !== 'quorum_standby');
      });
      return async () => {
        const change = { synchronous_mode: 'quorum', synchronous_mode_strict: true };
        await (await primary()).configure(change);
      };
    },
  },
  {
    name: 'new-keys',
    what: 'a new key for each repeat',
    fault: faultOf('freeze-standbys'),
    hasNewKeyPerRepeat: true,
    weaken: () => Promise.resolve(() => Promise.resolve()),
  },
  {
    name: 'deaf',
    what: 'notice 01000 ignored',
    fault: faultOf('cancel-commits'),
    weaken: (cluster) => restartWith(cluster, DEAF),
  },
  {
    name: 'no-barrier',
    what: 'no barrier after an early commit',
    fault: CUT,
    weaken: (cluster) => restartWith(cluster, WITHOUT_BARRIER),
  },
];

function importOf(module: string): string {
  return `--import=${join(import.meta.dirname, module)}`;
}

async function restartWith(cluster: Cluster, nodeOptions: string): Promise<() => Promise<void>> {
  await restartApis(cluster, nodeOptions);
  return () => restartApis(cluster);
}

async function restartApis(
  { applications, startApi, untilWhole }: Cluster,
  nodeOptions?: string,
): Promise<void> {
  for (const application of applications) {
    await application.machine.kill('api');
    startApi(application, nodeOptions);
  }
  await untilWhole();
}

/** Whether the audit found the damage of the missing protection. */
export const hasFailed = ({ lost, doubled }: TrialResult): boolean =>
  lost.length + doubled.length > 0;

export function describeControl({ what }: Control, result: TrialResult): string {
  const { lost, doubled, acknowledgedCount } = result;
  const found = `${lost.length} lost and ${doubled.length} doubled of ${acknowledgedCount}`;
  return `control, ${what}: ${found}${hasFailed(result) ? '' : ' - IT SHOULD HAVE FAILED'}`;
}
