import { m } from '@athos/messages/messages';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { GroupCard } from './group-card.tsx';
import { sectionsOf, type PurchaseGroup } from './purchase-groups.ts';

/** Estimated heights of a heading and of a collapsed card. Each row is measured once it is rendered. */
const HEADING_HEIGHT = 48;
const CARD_HEIGHT = 160;
const OVERSCAN_COUNT = 4;

type Section = 'redeemable' | 'redeemed';

interface Row {
  readonly key: string;
  readonly section: Section;
  /** A row without a group is the section's heading. */
  readonly group?: PurchaseGroup;
}

const sectionTitle = (section: Section): string =>
  section === 'redeemable' ? m.purchases_redeemable_title() : m.purchases_redeemed_title();

function rowsOf(section: Section, groups: readonly PurchaseGroup[]): Row[] {
  if (groups.length === 0) return [];
  return [
    { key: section, section },
    ...groups.map((group) => ({ key: `${section}:${group.id}`, section, group })),
  ];
}

interface PurchaseListProps {
  items: readonly PurchaseItem[];
  onOpenItem: (itemId: number) => void;
}

/** Spec 2: the sections. Only rows near the viewport are rendered, so years of purchases open as fast as one. */
export function PurchaseList({ items, onOpenItem }: PurchaseListProps) {
  const { redeemable, redeemed } = sectionsOf(items);
  const rows = [...rowsOf('redeemable', redeemable), ...rowsOf('redeemed', redeemed)];
  const placeRef = useRef<HTMLDivElement>(null);
  const [offsetTop, setOffsetTop] = useState(0);
  useLayoutEffect(() => setOffsetTop(placeRef.current?.offsetTop ?? 0), []);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());

  const estimate = (index: number): number =>
    rows[index]?.group === undefined ? HEADING_HEIGHT : CARD_HEIGHT;
  // oxlint-disable-next-line react/incompatible-library -- nothing that it returns is passed on, so nothing can be stale
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    estimateSize: estimate,
    overscan: OVERSCAN_COUNT,
    scrollMargin: offsetTop,
    getItemKey: (index) => rows[index]?.key ?? index,
    measureElement: (element) =>
      element.getBoundingClientRect().height || estimate(Number(element.dataset['index'])),
  });
  const drawn = virtualizer.getVirtualItems();

  const handleToggle = (key: string): void => {
    const next = new Set(openKeys);
    if (!next.delete(key)) next.add(key);
    setOpenKeys(next);
  };

  const drawRow = (index: number, { key, section, group }: Row) => (
    <div key={key} data-index={index} ref={virtualizer.measureElement} className="pb-3">
      {group === undefined ? (
        <h2 className="font-display text-title pt-1 font-bold">{sectionTitle(section)}</h2>
      ) : (
        <GroupCard
          group={group}
          isRedeemed={section === 'redeemed'}
          isExpanded={openKeys.has(key)}
          onToggle={() => handleToggle(key)}
          onOpenItem={onOpenItem}
        />
      )}
    </div>
  );
  const drawSection = (section: Section) => {
    const ofSection = drawn.flatMap(({ index }) => {
      const row = rows[index];
      return row?.section === section ? [drawRow(index, row)] : [];
    });
    return (
      ofSection.length > 0 && <section aria-label={sectionTitle(section)}>{ofSection}</section>
    );
  };

  return (
    <div
      ref={placeRef}
      style={{
        paddingTop: (drawn[0]?.start ?? offsetTop) - offsetTop,
        paddingBottom: virtualizer.getTotalSize() - ((drawn.at(-1)?.end ?? offsetTop) - offsetTop),
      }}
    >
      {drawSection('redeemable')}
      {drawSection('redeemed')}
    </div>
  );
}
