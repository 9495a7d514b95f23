/**
 * Runs the cluster, its faults and the controls. It is started inside namespaces of its own (run.ts): when it ends, however it
 * ends, every process, mount and network of the cluster ends with it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Caller } from './caller.ts';
import { startCluster } from './cluster.ts';
import { CONTROLS, describeControl, hasFailed, type Control } from './controls.ts';
import { FAULTS, type Fault } from './faults.ts';
import { Load } from './load.ts';
import { prepare } from './prepare.ts';
import { proofOfControls, proofsOf, reportOf } from './proof.ts';
import { describeTable, describeTrial, faultsOfTrial } from './report.ts';
import { tryFault, type Stand, type TrialResult } from './trial.ts';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    root: { type: 'string', default: '' },
    report: { type: 'string', default: '' },
    fault: { type: 'string', multiple: true, default: [] },
    control: { type: 'string', multiple: true, default: [] },
    times: { type: 'string', default: '3' },
  },
});
const times = parseInt(flags.times, 10);
const isWhole = flags.fault.length + flags.control.length === 0;
const faults = chosenOf(FAULTS, flags.fault);
const controls = chosenOf(CONTROLS, flags.control);

const startMs = performance.now();
mkdirSync(flags.folder, { recursive: true });
const cluster = await startCluster({ folder: flags.folder, baseRoot: flags.root });
say(`cluster: up after ${Math.round((performance.now() - startMs) / 1000)} s`);
const scene = await prepare(cluster.settingsOf(await cluster.databaseUrl()));
const certificate = join(cluster.edge.machine.root, 'etc/haproxy/wallet.pem');

const results: TrialResult[] = [];
let faultCount = 0;
const ofControls = new Map<string, TrialResult>();
const stand = standWith();
for (const fault of faults) await tryOften(fault);
if (faults.length > 0) say(`\n${describeTable(faults, results)}\n`);
for (const control of controls) await tryControl(control);
const isSound = faultCount === 0 && [...ofControls.values()].every(hasFailed);
process.exit(isSound ? 0 : 1);

function chosenOf<T extends { readonly name: string }>(all: readonly T[], names: string[]): T[] {
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `there is no ${unknown.join()}; there are ${all.map(({ name }) => name).join()}`,
    );
  }
  return all.filter(({ name }) => isWhole || names.includes(name));
}

function standWith({ hasNewKeyPerRepeat = false } = {}): Stand {
  const caller = new Caller(cluster.edge.url, certificate, { hasNewKeyPerRepeat });
  return { cluster, caller, load: new Load(caller, scene), folder: flags.folder };
}

async function tryOften(fault: Fault): Promise<void> {
  for (let time = 1; time <= times; time++) {
    const result = await tryFault(stand, fault);
    results.push(result);
    faultCount += faultsOfTrial(fault, result).length;
    say(describeTrial(fault, result));
    writeReport();
    await cluster.untilWhole();
  }
}

/** With a load of its own, because what a control loses must not count against the faults. */
async function tryControl(control: Control): Promise<void> {
  const bringBack = await control.weaken(cluster);
  const result = await tryFault(standWith(control), control.fault);
  ofControls.set(control.name, result);
  say(describeControl(control, result));
  writeReport();
  await bringBack();
  await cluster.untilWhole();
}

function writeReport(): void {
  if (flags.report === '') return;
  const proofs = [...proofsOf(FAULTS, results), proofOfControls(CONTROLS, ofControls)];
  writeFileSync(flags.report, JSON.stringify(reportOf(proofs)));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
