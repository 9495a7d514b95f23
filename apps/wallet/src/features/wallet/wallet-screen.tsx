import { mainToken } from '@athos/brand/brand';
import { TOKEN_ASSETS } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { BalanceCard } from '@athos/ui/money/balance';
import { Card } from '@athos/ui/primitives/card';
import { CopyButton } from '@athos/ui/primitives/copy-button';
import { Screen } from '@athos/ui/layout/screen';
import { TokenLine } from '@athos/ui/money/token-select';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { balanceQuery } from '../../api/balance.ts';
import { useShownBalance } from '../../api/shown-balance.ts';
import { paths } from '../../routes/paths.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { AccountCode } from './account-code.tsx';

/** Spec 2 `/app/wallet`: the account's balances, and the id to which others send. */
export function WalletScreen() {
  return (
    <Screen title={m.wallet_account_title()} backTo={paths.home} width="form">
      <AccountBalance />
      <AccountId />
      <Tokens />
    </Screen>
  );
}

function AccountBalance() {
  return <BalanceCard {...useShownBalance()} symbol={mainToken.symbol} />;
}

/** The account's id as text with 'Copy', or as a code. */
function AccountId() {
  const userUuid = useUserUuid();
  return (
    <Card className="flex flex-col items-center gap-5">
      <div className="flex w-full flex-col gap-1">
        <h2 className="text-caption text-ink-quiet font-semibold">{m.wallet_account_id()}</h2>
        <p className="font-code text-caption break-all select-all">{userUuid}</p>
      </div>
      <CopyButton text={userUuid} variant="primary" isWide />
      <p className="text-body text-ink-quiet">{m.wallet_account_scan()}</p>
      <AccountCode userUuid={userUuid} />
    </Card>
  );
}

/** Every token with its balance (D-021). */
function Tokens() {
  const headingId = useId();
  const { data: balances, isError } = useQuery(balanceQuery);
  // The error is shown in place of the balance.
  if (balances === undefined && isError) return null;
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="font-display text-title font-bold">
        {m.wallet_tokens_title()}
      </h2>
      <ul className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring">
        {TOKEN_ASSETS.map((code) => (
          <li key={code} className="flex min-h-16 px-4 py-3">
            <TokenLine option={{ code, balance: balances?.[code] }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
