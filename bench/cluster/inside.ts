/**
 * Runs the cluster, its faults and the controls. It is started inside its own namespaces (run.ts): however it ends, every process, mount
 * and network of the cluster ends with it.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { reportOf, type Proof } from '../vitest-report.ts';
import { Caller } from './caller.ts';
import { startCluster } from './cluster.ts';
import { CONTROLS, describeControl, hasFailed, type Control } from './controls.ts';
import { proveEdgeLog } from './edge-log.ts';
import { proveEdgeCache, proveEdgeOfNoneReady, proveEdgeRules } from './edge-rules.ts';
import { FAULTS, type Fault } from './faults.ts';
import { hasAllFaults, readFlags } from './flags.ts';
import { Load } from './load.ts';
import type { World } from './machine.ts';
import { busyShare, PER_SECOND_MAX, rateThatLeavesRoom } from './pace.ts';
import { prepare } from './prepare.ts';
import { proofOfControls, proofsOf } from './proof.ts';
import { describeTable, describeTrial, faultsOfTrial } from './report.ts';
import { proveSendLimit } from './send-limit.ts';
import { tryFault, type Stand, type TrialResult } from './trial.ts';
import { watch } from './watch/watch.ts';

const WARM_UP_MS = 15_000;
const MEASURED_MS = 10_000;

const flags = readFlags(process.argv.slice(2));
const faults = chosenOf(FAULTS, flags.fault);
const controls = chosenOf(CONTROLS, flags.control);

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();

const startMs = performance.now();
mkdirSync(flags.folder, { recursive: true });
const world: World = { folder: flags.folder, baseRoot: flags.root };
const cluster = await startCluster(world);
say(`cluster: up after ${Math.round((performance.now() - startMs) / 1000)} s`);
const scene = await prepare(cluster.settingsOf(await cluster.databaseUrl()));

const earlier = readEarlier(flags.resume);
const results = earlier.filter(({ control }) => control === undefined).map(({ result }) => result);
let faultCount = results.reduce((sum, result) => sum + countFaults(result), 0);
const ofControls = new Map(
  earlier.flatMap(({ control, result }) => (control === undefined ? [] : [[control, result]])),
);
const stand = standWith();
const ofEdge = [
  await proveEdgeRules(cluster.edge),
  await proveEdgeCache(cluster.edge),
  await proveEdgeOfNoneReady(cluster),
  await proveEdgeLog(cluster),
  await proveSendLimit(stand.caller, scene),
] as const;
for (const { title, isProven } of ofEdge) if (isProven !== true) say(`NOT SHOWN: ${title}`);
const ofReads = await proveStandbyReads(() => setPace(stand.load));
if (ofReads.isProven !== true) say(`NOT SHOWN: ${ofReads.title}`);
for (const fault of faults) await tryOften(fault);
if (faults.length > 0) say(`\n${describeTable(faults, results)}\n`);
for (const control of controls) await tryControl(control);
const ofWatch: readonly Proof[] = flags.watch ? await watch(stand, world, say) : [];
for (const { title, isProven } of ofWatch) {
  say(`${isProven === true ? 'shown' : 'NOT SHOWN'}: ${title}`);
}
// A resumed run may have had nothing left to try.
writeProofs();
const isSound =
  faultCount === 0 &&
  [...ofControls.values()].every(hasFailed) &&
  [...ofEdge, ofReads, ...ofWatch].every(({ isProven }) => isProven === true);
process.exit(isSound ? 0 : 1);

function chosenOf<T extends { readonly name: string }>(all: readonly T[], names: string[]): T[] {
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `there is no ${unknown.join()}; there are ${all.map(({ name }) => name).join()}`,
    );
  }
  return all.filter(({ name }) => hasAllFaults(flags) || names.includes(name));
}

function standWith({ hasNewKeyPerRepeat = false } = {}): Stand {
  const caller = new Caller(cluster.edge.url, cluster.edge.certificate, { hasNewKeyPerRepeat });
  return { cluster, caller, load: new Load(caller, scene, PER_SECOND_MAX), folder: flags.folder };
}

/** Measures after a warm-up, since programs that have just started are slow, which would also distort the first fault's result. */
async function setPace(load: Load): Promise<void> {
  const atRest = await busyShare(MEASURED_MS);
  load.start();
  await pause(WARM_UP_MS);
  const atMost = await busyShare(MEASURED_MS);
  await load.stop();
  load.perSecond = rateThatLeavesRoom({ atRest, atMost });
  const percent = (share: number): string => `${Math.round(share * 100)} %`;
  say(
    `load: ${load.perSecond}/s; at rest the processors are ${percent(atRest)} busy, at ${PER_SECOND_MAX}/s ${percent(atMost)}`,
  );
}

/**
 * Looks only before the first fault: a process that is killed counts from zero again, and after a new connection to the primary none asks a
 * standby for a minute.
 */
async function proveStandbyReads(loadCalmly: () => Promise<void>): Promise<Proof> {
  const count = async (): Promise<number> => {
    const counts = cluster.applications.map((application) => application.countStandbyReads());
    return (await Promise.all(counts)).reduce((sum, pages) => sum + pages, 0);
  };
  const before = await count();
  await loadCalmly();
  const pageCount = (await count()) - before;
  say(`history: ${pageCount} pages were read from a standby`);
  return {
    title: 'while all is well, pages of history with a cursor are read from a standby',
    isProven: pageCount > 0,
  };
}

async function tryOften(fault: Fault): Promise<void> {
  const done = results.filter((result) => result.fault === fault.name).length;
  for (let time = done + 1; time <= flags.times; time++) {
    const result = await tryFault(stand, fault);
    results.push(result);
    faultCount += countFaults(result);
    say(describeTrial(fault, result));
    keep({ result });
    await cluster.untilWhole();
  }
}

function countFaults(result: TrialResult): number {
  const fault = FAULTS.find(({ name }) => name === result.fault);
  return fault === undefined ? 0 : faultsOfTrial(fault, result).length;
}

/** Uses its own load, because losses caused by a control must not count against the faults. */
async function tryControl(control: Control): Promise<void> {
  if (ofControls.has(control.name)) return;
  const bringBack = await control.weaken(cluster);
  try {
    const result = await tryFault(standWith(control), control.fault);
    ofControls.set(control.name, result);
    say(describeControl(control, result));
    keep({ control: control.name, result });
  } finally {
    await bringBack();
  }
  await cluster.untilWhole();
}

interface Kept {
  /** Results of other commits do not count for this one. */
  readonly commit: string;
  readonly control?: string;
  readonly result: TrialResult;
}

/** Results of an earlier run, so that an interrupted run can continue. */
function readEarlier(file: string): Kept[] {
  if (file === '' || !existsSync(file)) return [];
  // If the run was interrupted while writing, the last line is incomplete.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Kept).filter((kept) => kept.commit === commit);
}

function keep(found: Omit<Kept, 'commit'>): void {
  const kept: Kept = { commit, ...found };
  if (flags.resume !== '') appendFileSync(flags.resume, `${JSON.stringify(kept)}\n`);
  writeProofs();
}

function writeProofs(): void {
  if (flags.report === '') return;
  const ofFaults = proofsOf(FAULTS, results);
  const proofs = [...ofEdge, ofReads, ...ofFaults, proofOfControls(CONTROLS, ofControls)];
  writeFileSync(flags.report, JSON.stringify(reportOf(proofs, 'bench/cluster/proof.ts')));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
