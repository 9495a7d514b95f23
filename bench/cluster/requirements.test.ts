import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionFaults, whatIsMissing } from './requirements.ts';

const versions = (patroni: string, etcd: string) =>
  new Map([
    ['patroni', patroni],
    ['etcd-server', etcd],
    ['postgresql-18', '18.6-3'],
  ]);

describe('the cluster test', () => {
  it.each([
    ['4.1.5-2', '3.5.30-2', 0],
    ['4.0.7-1', '3.5.0-1', 0],
    ['1:4.0.7~rc1', '3.6.1', 0],
    ['10.0', '10.0', 0],
    ['4.0.6-9', '3.5.30-2', 1],
    ['3.0.2-1', '3.5.30-2', 1],
    ['4.0', '3.5', 1],
    ['4.1.5-2', '3.4.37+ds1-1', 1],
    ['3.0.2-1', '3.4.37', 2],
  ])('[P-019] takes Patroni from 4.0.7 and etcd from 3.5 on: %s, %s', (patroni, etcd, count) => {
    expect(versionFaults(versions(patroni, etcd))).toHaveLength(count);
  });

  it('[P-019] refuses a file system without Patroni', () => {
    expect(versionFaults(new Map([['etcd-server', '3.5.30']]))).toContain('Patroni is missing');
  });

  it('says in one line what is missing', () => {
    const host = {
      isRoot: true,
      hasApt: true,
      hasProgram: (name: string) => name !== 'mmdebstrap',
    };
    expect(whatIsMissing(host)).toMatch(/^[^\n]*mmdebstrap[^\n]*$/);
    expect(whatIsMissing({ ...host, isRoot: false })).toMatch(/^[^\n]*root[^\n]*$/);
    expect(whatIsMissing({ ...host, hasProgram: () => true })).toBeUndefined();
  });

  it('[P-018] runs nothing where a program is missing, says which, and ends with 0', () => {
    const program = join(import.meta.dirname, '../../scripts/test-cluster.ts');
    const output = execFileSync(process.execPath, [program], {
      encoding: 'utf8',
      env: { PATH: '/nonexistent' },
    });
    expect(output).toMatch(/^test:cluster: 0 run: [^\n]+\n$/);
  });
});
