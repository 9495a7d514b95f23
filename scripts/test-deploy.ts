/**
 * `npm run test:deploy`: each file of `deploy/` is checked by the tool that will read it, without a network, and the tool must refuse a
 * broken copy. It runs as root on Debian; elsewhere it reports what is missing, and passes.
 */
import { join } from 'node:path';
import { CHECKS, faultsOf } from './deploy/checks.ts';
import { finishProofs } from './deploy/finish-proofs.ts';
import { DEPLOY_SYSTEM, openTools, whatIsMissing } from './deploy/tools.ts';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';

const missing = whatIsMissing();
if (missing === undefined) {
  const report = beginRun('test:deploy')('vitest');
  const tools = openTools(DEPLOY_SYSTEM, join(root, 'deploy'));
  try {
    const proofs = [];
    for (const check of CHECKS) {
      const faults = await faultsOf(check, tools);
      for (const fault of faults) console.log(fault);
      proofs.push({ title: `[P-059] ${check.what}`, isPassed: faults.length === 0 });
    }
    finishProofs(report, 'scripts/test-deploy.ts', proofs);
  } finally {
    tools.remove();
  }
} else {
  console.log(`test:deploy: 0 run: ${missing}`);
}
