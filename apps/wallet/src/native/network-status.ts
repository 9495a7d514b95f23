import { network } from './plugins.ts';

/** Tells whether the phone has a network: now, and whenever that changes. */
export async function followNetwork(onChange: (isConnected: boolean) => void): Promise<void> {
  await network.addListener('networkStatusChange', ({ connected }) => onChange(connected));
  onChange((await network.getStatus()).connected);
}
