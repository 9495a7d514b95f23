import { m } from '@athos/messages/messages';
import { moneyText } from '../../kit/money.tsx';
import { ProgressBar } from '../../kit/progress.tsx';

interface Debt {
  readonly tokenAmount: string;
  readonly repaidTokenAmount: string;
}

/** The repaid share of a debt, in words and as a bar. */
export function Progress({ debt }: { debt: Debt }) {
  const { tokenAmount, repaidTokenAmount } = debt;
  const text = m.disputes_debt_repaid({
    repaid: moneyText(repaidTokenAmount, 'ATH'),
    owed: moneyText(tokenAmount, 'ATH'),
  });
  return (
    <span className="text-dense flex min-w-0 flex-col gap-1">
      <span className="tabular">{text}</span>
      <ProgressBar label={text} done={Number(repaidTokenAmount)} total={Number(tokenAmount)} />
    </span>
  );
}
