import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { useUserUuid } from '../../state/current-user.ts';
import type { PurchaseItem } from '../../api/purchases.ts';
import { paths } from '../../routes/paths.ts';
import { RedeemCode } from './redeem-code.tsx';
import type { RedemptionState } from './use-redemption.ts';

interface RedeemPlaceProps {
  items: readonly PurchaseItem[];
  redemption: RedemptionState;
}

/** Shows the code, or the items that have just been redeemed with it. */
export function RedeemPlace({ items, redemption }: RedeemPlaceProps) {
  const { selected, justRedeemed } = redemption;
  const userUuid = useUserUuid();
  const isOver = items.every(({ redeemedAt }) => redeemedAt !== null);
  return (
    <div className="flex flex-col items-center gap-4">
      {!isOver && (
        <p className="text-body text-ink-quiet max-w-81 text-center text-pretty">
          {m.purchases_redeem_text()}
        </p>
      )}
      {/* Always rendered, so that screen readers announce its text. */}
      <div role="status" className="w-full empty:hidden">
        {justRedeemed.length > 0 && <Moment redemption={redemption} />}
      </div>
      {justRedeemed.length === 0 && isOver && (
        <Notice kind="success">{m.purchases_redeem_over()}</Notice>
      )}
      {justRedeemed.length === 0 && !isOver && (
        <CodeOrNone
          selected={selected}
          userUuid={userUuid}
          purchaseId={items[0]?.purchaseId ?? 0}
        />
      )}
    </div>
  );
}

interface CodeOrNoneProps {
  selected: readonly number[];
  userUuid: string;
  purchaseId: number;
}

function CodeOrNone({ selected, userUuid, purchaseId }: CodeOrNoneProps) {
  if (selected.length > 0) {
    return <RedeemCode userUuid={userUuid} purchaseId={purchaseId} itemIds={selected} />;
  }
  return (
    <p className="rounded-large border-line-strong text-ink-quiet text-lead flex aspect-square w-full max-w-81 items-center justify-center border-2 border-dashed">
      {m.purchases_redeem_none()}
    </p>
  );
}

/** One of the few moments that the app celebrates. */
function Moment({ redemption }: { redemption: RedemptionState }) {
  const { justRedeemed, hasMore, redeemRest } = redemption;
  return (
    <div className="rounded-large bg-success-surface animate-enter mx-auto flex aspect-square w-full max-w-81 flex-col items-center justify-center gap-2 p-6 text-center">
      <SuccessMoment />
      <p className="font-display text-headline font-bold">{m.purchases_moment_title()}</p>
      <p className="text-body text-pretty">{momentText(justRedeemed)}</p>
      <div className="pt-2">
        {hasMore ? (
          <Button variant="quiet" isCompact onClick={redeemRest}>
            {m.purchases_moment_rest()}
          </Button>
        ) : (
          <ButtonLink to={paths.myPurchases} isCompact>
            {m.purchases_moment_done()}
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function momentText(redeemed: readonly PurchaseItem[]): string {
  const venue = redeemed[0]?.redeemedVenue;
  return typeof venue === 'string'
    ? m.purchases_moment_text({ count: redeemed.length, venue })
    : m.purchases_moment_text_plain({ count: redeemed.length });
}
