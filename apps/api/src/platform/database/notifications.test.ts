import { expect, it, vi } from 'vitest';
import { createFreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { copyTemplate } from '../../../test/test-database.ts';
import { listenForNotifications } from './notifications.ts';

it(
  'a connection that died silently counts as listening only for seconds, and a gap is reported when it is back',
  { tags: 'long' },
  async () => {
    const template = await copyTemplate();
    const proxy = await createFreezableProxy(template.url);
    const notifications = listenForNotifications(proxy.url, recordLog().log);
    const onGap = vi.fn<() => void>();
    notifications.onGap(onGap);
    await expect.poll(() => notifications.isListening()).toBe(true);
    // Values cached before the first connection may be stale, too.
    expect(onGap).toHaveBeenCalledTimes(1);
    proxy.freeze();
    await expect.poll(() => notifications.isListening()).toBe(false);
    proxy.cutAndHeal();
    await expect.poll(() => notifications.isListening()).toBe(true);
    expect(onGap).toHaveBeenCalledTimes(2);
    await notifications.close();
    await proxy.close();
    await template.drop();
  },
);

it('a notification that a listener cannot use ends nothing, and is logged', async () => {
  const template = await copyTemplate();
  const { log, lines } = recordLog();
  const notifications = listenForNotifications(template.url, log);
  const told: string[] = [];
  notifications.on('said', (payload) => {
    BigInt(payload);
  });
  notifications.on('said', (payload) => told.push(payload));
  await expect.poll(() => notifications.isListening()).toBe(true);
  for (const payload of ['no number', '7']) notifications.announce('said', payload);
  await expect.poll(() => told).toEqual(['no number', '7']);
  expect(lines.filter((line) => line.includes('"channel":"said"'))).toHaveLength(1);
  await notifications.close();
  await template.drop();
});
