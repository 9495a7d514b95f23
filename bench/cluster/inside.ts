/**
 * Runs the cluster and its faults. It is started inside namespaces of its own (run.ts): when it ends, however it ends, every
 * process, mount and network of the cluster ends with it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Caller } from './caller.ts';
import { startCluster } from './cluster.ts';
import { FAULTS } from './faults.ts';
import { Load } from './load.ts';
import { prepare } from './prepare.ts';
import { proofsOf, reportOf } from './proof.ts';
import { describeTrial, describeTable, faultsOfTrial } from './report.ts';
import { tryFault, type TrialResult } from './trial.ts';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    root: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    fault: { type: 'string', multiple: true, default: [] },
    times: { type: 'string', default: '3' },
  },
});

const chosen = FAULTS.filter(({ name }) => flags.fault.length === 0 || flags.fault.includes(name));
const startMs = performance.now();
mkdirSync(flags.folder, { recursive: true });
const cluster = await startCluster({ folder: flags.folder, baseRoot: flags.root });
process.stdout.write(`cluster: up after ${Math.round((performance.now() - startMs) / 1000)} s\n`);
const scene = await prepare(cluster.settingsOf(await cluster.databaseUrl()));
const certificate = join(cluster.edge.machine.root, 'etc/haproxy/wallet.pem');
const caller = new Caller(cluster.edge.url, certificate);
const stand = {
  cluster,
  caller,
  load: new Load(caller, scene),
  mailFolder: join(flags.folder, 'mailbox'),
};
const results: TrialResult[] = [];
for (const fault of chosen) {
  for (let time = 1; time <= parseInt(flags.times, 10); time++) {
    const result = await tryFault(stand, fault);
    results.push(result);
    process.stdout.write(`${describeTrial(fault, result)}\n`);
    if (flags.report !== '') {
      writeFileSync(flags.report, JSON.stringify(reportOf(proofsOf(FAULTS, results))));
    }
  }
}
process.stdout.write(`\n${describeTable(chosen, results)}\n`);
const isSound = results.every((result) => faultsOfTrial(result).length === 0);
process.exit(isSound ? 0 : 1);
