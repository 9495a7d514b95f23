import type { TokenAsset, TokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { DetailList } from '@athos/ui/primitives/card';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { forfeitedTokens } from './forfeited-tokens.ts';

interface ForfeitedBalanceProps {
  /** `undefined` until the balances are known. */
  balances: Readonly<Record<TokenAsset, TokenUnits>> | undefined;
}

/** Lists the tokens that are forfeited with the account, to the micro-unit. Nothing is paid out (D-106). */
export function ForfeitedBalance({ balances }: ForfeitedBalanceProps) {
  const held = balances === undefined ? undefined : forfeitedTokens(balances);
  return (
    <section className="rounded-medium bg-danger-surface flex flex-col gap-3 p-4">
      <h2 className="text-danger text-body font-semibold">{m.settings_delete_forfeit_title()}</h2>
      {held === undefined && <Skeleton className="h-6 w-2/5" />}
      {held !== undefined && held.length > 0 && (
        <DetailList details={held.map(({ name, text }) => ({ label: name, value: text }))} />
      )}
      <p className="text-body text-pretty">
        {held?.length === 0 ? m.settings_delete_forfeit_none() : m.settings_delete_forfeit_text()}
      </p>
    </section>
  );
}
