/** Monthly statements, and the balance over time. */
import type { AnswerOf } from '@athos/contract/api';
import { parseUnits, type TokenAsset, type TokenUnits } from '@athos/domain/money';
import { queryOptions } from '@tanstack/react-query';
import { client } from './http.ts';

/** The time zone of this device. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** `2026-10`, newest first. */
export const statementsQuery = queryOptions({
  queryKey: ['statements'],
  queryFn: async ({ signal }) =>
    (await client.call('statements', { query: { zone: timeZone() }, signal })).months,
});

export const FILE_FORMATS = ['pdf', 'csv', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const fetchStatement = (
  month: string,
  { format, asset }: { readonly format: FileFormat; readonly asset: TokenAsset },
): Promise<Blob> =>
  client.file('statement', { params: { month }, query: { format, asset, zone: timeZone() } });

export interface BalancePoint {
  /** ISO 8601. */
  readonly at: string;
  readonly units: TokenUnits;
}

const DAY_MS = 24 * 60 * 60_000;

const readPoint = (wire: AnswerOf<'balanceHistory'>['points'][number]): BalancePoint => ({
  at: wire.at,
  units: parseUnits(wire.balance),
});

/** The balance during the last `days` days. */
export const balanceHistoryQuery = (asset: TokenAsset, days: number) =>
  queryOptions({
    queryKey: ['balance-history', asset, days],
    queryFn: async ({ signal }) => {
      const to = client.serverNowMs();
      const query = {
        asset,
        from: new Date(to - days * DAY_MS).toISOString(),
        to: new Date(to).toISOString(),
      };
      return (await client.call('balanceHistory', { query, signal })).points.map(readPoint);
    },
  });
