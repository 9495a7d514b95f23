/** The bill of materials of a release: every package in the lock file, in CycloneDX. */
import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import { root } from '../start/paths.ts';

interface Component {
  /** A package URL, such as `pkg:npm/%40fastify/static@10.1.11`. */
  readonly purl: string;
}

export interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component & { readonly version: string } };
  readonly components: readonly Component[];
}

/**
 * Reads only the lock file, so it does not matter what is installed here. It also lists packages for builds and tests and marks them
 * (`cdx:npm:package:development`): with `--omit=dev`, npm leaves out packages that both need, such as React.
 */
export function makeBill(): Bill {
  const cli = process.env['npm_execpath'] ?? '';
  const words = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
  ];
  const text = cli.endsWith('npm-cli.js')
    ? execFileSync(process.execPath, [cli, ...words], OPTIONS)
    : execFileSync('npm', words, OPTIONS);
  return JSON.parse(text) as Bill;
}

const OPTIONS: ExecFileSyncOptionsWithStringEncoding = {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
  stdio: ['ignore', 'pipe', 'ignore'],
};
