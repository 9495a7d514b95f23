import type { AdminAnswer } from '../../api/call.ts';

export type Scanner = AdminAnswer<'scanner'>;

export const titleOf = ({ name, label }: Scanner): string => name ?? label;

/** Whether something that the device reported waits for a person. */
export const isWaiting = ({ offline }: Pick<Scanner, 'offline'>): boolean =>
  offline !== null && (offline.suspectSince !== null || offline.keptCount > 0);
