import type { Addresses } from './start-system.ts';

export type DemoStaff = Addresses['demoStaff'][number];

/** The global setup sets this variable for the workers. */
export const ADDRESSES_VARIABLE = 'E2E_ADDRESSES';

export const addresses = JSON.parse(process.env[ADDRESSES_VARIABLE] ?? '{}') as Addresses;
