/** What a text in the palette names: objects of the programme, in groups, of which the server leaves out what the person may not read. */
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

/** A pause in typing; five searches a second are answered. */
const PAUSE_MS = 250;
/** A single letter names nothing in particular. */
const LENGTH_MIN = 2;

/** The text once nobody has typed for a moment. */
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

/** The groups for a text, and whether they are still asked for. */
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
