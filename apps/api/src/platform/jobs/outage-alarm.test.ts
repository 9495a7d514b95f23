import { expect, it } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { OutageAlarm } from './outage-alarm.ts';

function createAlarm() {
  const { log, lines } = recordLog();
  let nowMs = 1_790_000_000_000;
  const alarm = new OutageAlarm(log, { nowMs: () => nowMs });
  const raised = () => lines.map((line) => (JSON.parse(line) as { alarm: string }).alarm);
  const failAfter = (ms: number, code: string): void => {
    nowMs += ms;
    alarm.failed(Object.assign(new Error('no'), { code }));
  };
  return { alarm, raised, failAfter };
}

it('is raised when the queue is out of reach for longer than a failover, and then once a minute', () => {
  const { raised, failAfter } = createAlarm();
  for (const ms of [0, 20_000, 9_000]) failAfter(ms, 'ECONNREFUSED');
  expect(raised()).toEqual([]);
  failAfter(1_000, 'ECONNREFUSED');
  failAfter(59_000, 'ECONNREFUSED');
  expect(raised()).toEqual(['database_unreachable']);
  failAfter(1_000, 'ECONNREFUSED');
  expect(raised()).toEqual(['database_unreachable', 'database_unreachable']);
});

it('is not raised for short outages, however many', () => {
  const { alarm, raised, failAfter } = createAlarm();
  for (let count = 0; count < 10; count += 1) {
    failAfter(20_000, '57P01');
    alarm.answered();
  }
  expect(raised()).toEqual([]);
});

it('is raised at once by a server that only reads', () => {
  const { raised, failAfter } = createAlarm();
  failAfter(0, '25006');
  expect(raised()).toEqual(['database_read_only']);
});
