// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { makeDeviceKey } from '@athos/app-core/device-key';
import { parseTicketCode, shownItemIds } from '@athos/domain/ticket-code';
import { pass } from '@athos/testing/fake-time';
import { ticketOf } from '@athos/testing/samples/tickets';
import { FAKE_UUID } from '@athos/testing/session';
import { screen } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { beginTest, endWholeTest, startAt } from '../../../test/whole-app.tsx';
import { writeTickets } from '../../state/ticket-store.ts';

/** The content of the displayed code; `packages/ui` tests its rendering. */
vi.mock('@athos/ui/qr/qr-code', () => ({
  QrCode: (props: { value: string; label: string }) => (
    <img alt={props.label} data-value={props.value} />
  ),
}));

/** The fake IndexedDB needs turns of the event loop, which fake timers would stop. */
const turns = globalThis as unknown as { setImmediate: unknown };
const { setImmediate: realTurn } = turns;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  beginTest();
  turns.setImmediate = realTurn;
});
afterEach(endWholeTest);

async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isSo(); turn += 1) await pass();
  expect(isSo()).toBe(true);
}
/** The items that a scanner reads from the code in view; `undefined` for a code with more items than it can hold. */
function shownIds(): readonly number[] | undefined {
  const image = screen.queryByRole('img', { name: 'QR code to redeem your purchase' });
  const code = parseTicketCode(image?.dataset['value'] ?? '');
  return code && shownItemIds(code);
}

async function keep(itemIds: readonly number[]): Promise<void> {
  const keeping = writeTickets({
    userUuid: FAKE_UUID,
    key: await makeDeviceKey(),
    publicKey: 'own',
    phone: { publicKey: 'own', label: 'A phone' },
    tickets: [{ purchaseId: 1, ticket: ticketOf(itemIds) }],
    answeredAtMs: Date.now(),
    serverOffsetMs: 0,
  });
  let isKept = false;
  void keeping.then(() => (isKept = true));
  await until(() => isKept);
}

it('shows 41 items of a ticket as two codes, each of which a scanner can read', async () => {
  const all = Array.from({ length: 41 }, (_, index) => 100 + index);
  await keep(all);
  const user = await startAt('/auth/tickets');
  await until(() => shownIds() !== undefined);
  expect(shownIds()).toEqual(all.slice(0, 40));
  expect(screen.getByText('Code 1 of 2, 40 items')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await until(() => shownIds()?.length === 1);
  expect(shownIds()).toEqual([140]);
  expect(screen.getByText('Code 2 of 2, 1 item')).toBeDefined();
});

it('shows one code with its number and no steps if there is only one', async () => {
  await keep([7]);
  await startAt('/auth/tickets');
  await until(() => shownIds() !== undefined);
  expect(screen.getByText('Code 1 of 1, 1 item')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
});
