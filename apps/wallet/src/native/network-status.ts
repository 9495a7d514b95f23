import { network } from './plugins.ts';

/** Tells when the phone has no network: now, or from some time on. */
export async function followNetwork(onLost: () => void): Promise<void> {
  const handle = ({ connected }: { connected: boolean }): void => {
    if (!connected) onLost();
  };
  await network.addListener('networkStatusChange', handle);
  handle(await network.getStatus());
}
