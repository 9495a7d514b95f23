import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../start/paths.ts';
import { makeBill } from './bill.ts';

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly link?: boolean;
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};

it(
  '[P-074] the bill of materials names every package of the lock file, and no other',
  { tags: 'long' },
  () => {
    const locked = Object.entries(lock.packages)
      .filter(([path, { link }]) => path !== '' && link !== true)
      .map(
        ([path, { name = path.split('node_modules/').at(-1), version }]) =>
          `pkg:npm/${(name ?? '').replace('@', '%40')}@${version}`,
      );
    const bill = makeBill();
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
    expect(bill.metadata.component.purl).toMatch(/^pkg:npm\/athos-wallet@\d+\.\d+\.\d+$/);
    const named = bill.components.map(({ purl }) => purl.split('?')[0]);
    expect(locked.length).toBeGreaterThan(500);
    expect(new Set(named)).toEqual(new Set(locked));
  },
);
