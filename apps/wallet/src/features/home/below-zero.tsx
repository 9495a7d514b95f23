import { mainToken } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { paths } from '../../routes/paths.ts';

/** Explains why the balance is below zero and what to do about it. Only a reversed payment can cause that. */
export function BelowZero() {
  const { symbol } = mainToken;
  return (
    <Notice
      kind="danger"
      title={m.wallet_below_zero_title()}
      action={<ButtonLink to={paths.buy}>{m.wallet_below_zero_action({ symbol })}</ButtonLink>}
    >
      {m.wallet_below_zero_text({ symbol })}
    </Notice>
  );
}
