import { network } from './plugins.ts';

/** Calls `onLost` if the phone has no network, and whenever it loses it. */
export async function followNetwork(onLost: () => void): Promise<void> {
  const handle = ({ connected }: { connected: boolean }): void => {
    if (!connected) onLost();
  };
  await network.addListener('networkStatusChange', handle);
  handle(await network.getStatus());
}
