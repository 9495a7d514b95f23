/** The codes of a batch as CSV. */
import { formatRewardCode, type RewardCode } from '@athos/domain/reward-code';
import { csvHead, csvLines } from '../../../platform/files/csv.ts';
import type { BatchRow } from './batches.sql.ts';

const COLUMNS = ['number', 'code', 'link', 'label', 'uses', 'expires_at'];

/** The address at which the wallet redeems the code: the content of the QR code on a sheet. */
export const redeemLink = (publicUrl: string, code: RewardCode): string =>
  `${publicUrl}/app/redeem?code=${formatRewardCode(code)}`;

export async function* codesAsCsv(
  codes: AsyncIterable<readonly RewardCode[]>,
  { batch, publicUrl }: { readonly batch: BatchRow; readonly publicUrl: string },
): AsyncGenerator<Buffer> {
  const expires = batch.expires_at?.toISOString() ?? '';
  let number = 0;
  yield Buffer.from(csvHead(COLUMNS));
  for await (const some of codes) {
    const lines = some.map((code) => {
      number += 1;
      return [
        { number: number.toString() },
        formatRewardCode(code),
        redeemLink(publicUrl, code),
        batch.label,
        { number: batch.claim_count_max.toString() },
        expires,
      ];
    });
    yield Buffer.from(csvLines(lines));
  }
}
