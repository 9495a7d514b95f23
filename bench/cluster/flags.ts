/** The arguments of `npm run test:cluster`, and of the program inside its namespaces. */
import { parseArgs } from 'node:util';

/** A fault is proven only after this many runs. */
export const RUNS_MIN = 3;

/** @throws TypeError that names an argument that does not exist */
export function readFlags(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      folder: { type: 'string', default: '' },
      root: { type: 'string', default: '' },
      report: { type: 'string', default: '' },
      resume: { type: 'string', default: '' },
      fault: { type: 'string', multiple: true, default: [] },
      control: { type: 'string', multiple: true, default: [] },
      times: { type: 'string', default: String(RUNS_MIN) },
      watch: { type: 'boolean', default: false },
    },
  });
  return { ...values, times: parseInt(values.times, 10) };
}
export type Flags = ReturnType<typeof readFlags>;

/** Whether the run causes every fault and makes every control. */
export const hasAllFaults = ({ fault, control, watch }: Flags): boolean =>
  fault.length + control.length === 0 && !watch;

/** Whether the run can prove rows. Any other run must leave the report of the last one that could. */
export const canProve = (flags: Flags): boolean => hasAllFaults(flags) && flags.times >= RUNS_MIN;
