import type { Addresses } from './start-system.ts';

export type DemoStaff = Addresses['demoStaff'][number];

/** The variable in which the global setup passes the system's addresses to the workers of a run. */
export const ADDRESSES_VARIABLE = 'E2E_ADDRESSES';
/** The folder of the system's data. */
export const DATA_DIR_VARIABLE = 'E2E_DATA_DIR';

export const addresses = JSON.parse(process.env[ADDRESSES_VARIABLE] ?? '{}') as Addresses;
