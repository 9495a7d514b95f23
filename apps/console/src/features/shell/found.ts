/** Searches objects of the programme for the palette, in groups. The server leaves out objects that the person may not read. */
import { m } from '@athos/messages/messages';
import { useEffect, useState } from 'react';
import { useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { paths } from '../../routes/paths.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface ChoiceGroup {
  readonly value: string;
  readonly items: readonly Choice[];
}

/** The pause in typing before a search; the server allows five searches a second. */
const PAUSE_MS = 250;
/** A single letter is too unspecific to search for. */
const LENGTH_MIN = 2;

/** The text once typing has paused. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

const groupsOf = (found: AdminAnswer<'search'>): readonly ChoiceGroup[] => [
  {
    value: m.customers_title(),
    items: (found.customers ?? []).map(({ uuid, email }) => ({
      value: paths.customer(uuid),
      label: `${email ?? m.customers_closed_account()} · ${shortId(uuid)}`,
    })),
  },
  {
    value: m.console_found_orders(),
    items: (found.orders ?? []).map(({ id, providerId }) => ({
      value: paths.payment(id),
      label: providerId ?? id,
    })),
  },
  {
    value: m.console_found_purchases(),
    items: (found.purchases ?? []).map(({ id }) => ({
      value: paths.purchase(id),
      label: m.console_found_purchase({ id }),
    })),
  },
  {
    value: m.console_found_transfers(),
    items: (found.transfers ?? []).map(({ id }) => ({
      value: paths.ledgerTransfer(id),
      label: m.console_found_transfer({ id }),
    })),
  },
  {
    value: m.catalogue_offers(),
    items: (found.offers ?? []).map(({ id, title }) => ({
      value: paths.offer(id),
      label: `${title} · ${id}`,
    })),
  },
];

/** The groups found for a text, and whether the search is still pending. */
export function useFound(text: string): {
  readonly groups: readonly ChoiceGroup[];
  readonly isAsking: boolean;
} {
  const typed = text.trim();
  const q = usePaused(typed);
  const isAsked = q.length >= LENGTH_MIN;
  const { item, failure } = useAdminItem('search', { query: { q } }, { isAsked });
  const isWanted = typed.length >= LENGTH_MIN;
  return {
    groups:
      item === undefined || typed !== q
        ? []
        : groupsOf(item).filter(({ items }) => items.length > 0),
    isAsking: isWanted && (typed !== q || (item === undefined && failure === undefined)),
  };
}
