import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';

export type Day = RowOf<'reconciliationDays'>;

interface Differences {
  /** The provider's balance less the sum of its transactions. */
  readonly ofProvider: string;
  /** The sum of the provider's transactions less the amounts in flight and our bookings. */
  readonly ofBooks: string;
}

export function differencesOf(day: Day): Differences {
  const nets = BigInt(day.netsUsdCents);
  return {
    ofProvider: (BigInt(day.providerUsdCents) - nets).toString(),
    ofBooks: (nets - BigInt(day.inFlightUsdCents) - BigInt(day.clearingUsdCents)).toString(),
  };
}

/** The sum of both: the provider's balance less the amounts in flight and our bookings. */
export function differenceOf(day: Day): string {
  const { ofProvider, ofBooks } = differencesOf(day);
  return (BigInt(ofProvider) + BigInt(ofBooks)).toString();
}

export const isDifferent = (day: Day): boolean => {
  const { ofProvider, ofBooks } = differencesOf(day);
  return ofProvider !== '0' || ofBooks !== '0';
};

export function DayState({ day }: { day: Day }) {
  if (day.isAgreed) return <Badge tone="success">{m.reconciliation_agreed()}</Badge>;
  return isDifferent(day) ? (
    <Badge tone="danger">{m.reconciliation_differs()}</Badge>
  ) : (
    <Badge tone="info">{m.reconciliation_has_unmatched()}</Badge>
  );
}
