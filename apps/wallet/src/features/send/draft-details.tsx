import {
  formatApproximateUsd,
  formatAthExact,
  formatAthRoundedUp,
  isShownRounded,
  usdCents,
  microAth,
  usdOfTokens,
  type TokenUnits,
  type UsdCents,
} from '@athos/domain/money';
import { isUnusualSend } from '@athos/domain/usual-send';
import { m } from '@athos/messages/messages';
import { Card, DetailList } from '@athos/ui/primitives/card';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { TokenLine } from '@athos/ui/money/token-select';
import { useId } from 'react';
import { useBalances } from '../../api/balance.ts';
import { useLastSends } from '../../api/past-sends.ts';
import { useRecipientName } from '../../api/recipients.ts';
import { usePublishedRate } from '../../api/rate.ts';
import { aliasOf, useContacts } from '../../state/contacts.ts';
import { useUserUuid } from '../../state/current-user.ts';
import { draftAmount, type SendDraft } from '../../state/send-draft.ts';
import { OwnName } from './own-name.tsx';

/** The token with its balance, like the selector but without a dropdown. */
export function TokenCard({ draft }: { draft: SendDraft }) {
  const headingId = useId();
  const balances = useBalances();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-2">
      <h2 id={headingId} className="text-body text-ink-quiet">
        {m.send_summary_token()}
      </h2>
      <Card className="flex">
        <TokenLine option={{ code: draft.asset, balance: balances?.[draft.asset] }} />
      </Card>
    </section>
  );
}

/** From, To and Amount. */
export function DraftDetails({ draft }: { draft: SendDraft }) {
  const userUuid = useUserUuid();
  const contacts = useContacts();
  const ownName = useRecipientName(draft.address);
  // The address of a contact may have been typed or scanned.
  const name = draft.name === '' ? aliasOf(contacts, draft.address) : draft.name;
  return (
    <Card>
      <DetailList
        details={[
          { label: m.send_summary_from(), value: <Address>{userUuid}</Address>, isLong: true },
          {
            label: m.send_summary_to(),
            isLong: true,
            value: (
              <>
                {name !== undefined && (
                  <span className="block break-keep wrap-anywhere">{name}</span>
                )}
                {ownName !== undefined && <OwnName name={ownName} />}
                <Address>{draft.address}</Address>
              </>
            ),
          },
          ...(draft.asked === undefined || draft.asked === ''
            ? []
            : [{ label: m.send_summary_asked(), value: draft.asked, isLong: true }]),
          {
            label: m.send_summary_amount(),
            value: <Amount draft={draft} amount={draftAmount(draft)} />,
            isTotal: true,
          },
        ]}
      />
    </Card>
  );
}

/** Small enough for a uuid to fit on one line of a phone. */
function Address({ children }: { children: string }) {
  return <span className="text-caption block font-normal">{children}</span>;
}

function Amount({ draft, amount }: { draft: SendDraft; amount: TokenUnits | undefined }) {
  const usd = useDraftUsd(draft);
  if (amount === undefined) return null;
  const { symbol } = tokenBrand(draft.asset);
  return (
    <span className="flex flex-col items-end text-right">
      <span className="text-headline">{`${formatAthRoundedUp(amount)} ${symbol}`}</span>
      {usd !== undefined && (
        <span className="text-body font-text text-ink-quiet tracking-normal font-semibold">
          {formatApproximateUsd(usd)}
        </span>
      )}
      {/* Amounts are shown rounded up, but the sender must see the exact amount. */}
      {isShownRounded(amount) && (
        <span className="text-caption font-text text-ink-quiet tracking-normal font-normal">
          {m.send_exact_amount({ amount: formatAthExact(amount), symbol })}
        </span>
      )}
    </span>
  );
}

/** Whether the amount is far above the last sends in its token. */
export function useIsUnusual(draft: SendDraft): boolean {
  const usd = useDraftUsd(draft);
  const earlier = useLastSends(draft.asset);
  const amount = draftAmount(draft);
  return amount !== undefined && isUnusualSend({ amount, usd }, earlier);
}

/** The value at the current rate or, until one is known, at the amount step's rate. Only ATH has a rate. */
function useDraftUsd(draft: SendDraft): UsdCents | undefined {
  const rate = usePublishedRate();
  const amount = draftAmount(draft);
  if (draft.asset !== 'ATH' || amount === undefined) return undefined;
  if (rate !== undefined) return usdOfTokens(microAth(amount), rate);
  return /^\d+$/.test(draft.usd) ? usdCents(BigInt(draft.usd)) : undefined;
}
