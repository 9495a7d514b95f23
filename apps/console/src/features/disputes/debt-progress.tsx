import { m } from '@athos/messages/messages';
import { moneyText } from '../../kit/money.tsx';

interface Debt {
  readonly tokenAmount: string;
  readonly repaidTokenAmount: string;
}

/** The browsers' own bars know neither theme. */
const barClass =
  'bg-line rounded-pill [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent h-1.5 w-full appearance-none overflow-hidden';

/** How much of a debt has been repaid, in words and as a bar. */
export function Progress({ debt }: { debt: Debt }) {
  const { tokenAmount, repaidTokenAmount } = debt;
  const text = m.disputes_debt_repaid({
    repaid: moneyText(repaidTokenAmount, 'ATH'),
    owed: moneyText(tokenAmount, 'ATH'),
  });
  return (
    <span className="text-dense flex min-w-0 flex-col gap-1">
      <span className="tabular">{text}</span>
      <progress
        aria-label={text}
        max={Number(tokenAmount)}
        value={Number(repaidTokenAmount)}
        className={barClass}
      />
    </span>
  );
}
