import type { Addresses } from './start-system.ts';

/** Given by the global setup to the workers. */
export const ADDRESSES_VARIABLE = 'E2E_ADDRESSES';

export const addresses = JSON.parse(process.env[ADDRESSES_VARIABLE] ?? '{}') as Addresses;
