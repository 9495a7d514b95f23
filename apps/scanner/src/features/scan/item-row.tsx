import { m } from '@athos/messages/messages';
import { InlineMarkdown } from '@athos/ui/text/markdown';
import { Picture } from '@athos/ui/primitives/picture';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import type { ReactNode } from 'react';
import type { Item } from '../../api/codes.ts';

interface ItemBodyProps {
  item: Item;
  /** The number of equal items in the row. */
  count?: number;
  words: string;
  tone: 'good' | 'bad' | 'neutral';
}

const TONES = { good: 'text-success', bad: 'text-danger', neutral: 'text-ink-quiet' };

/** Picture, title and state of an item, the same in every list. */
export function ItemBody({ item, count = 1, words, tone }: ItemBodyProps) {
  return (
    <>
      <span className="rounded-small size-16 shrink-0 overflow-hidden">
        <Picture {...item.picture} ratio="square" sizes="4rem" isFirst />
      </span>
      <span className="flex min-w-0 flex-[1_1_8rem] flex-col gap-0.5">
        <span className="text-lead font-semibold wrap-anywhere">
          {count > 1 && (
            <>
              <span className="tabular">{m.common_times({ count })}</span>{' '}
            </>
          )}
          {item.title === '' ? m.scanner_app_item_unknown() : <InlineMarkdown text={item.title} />}
        </span>{' '}
        <span className={`text-body ${TONES[tone]}`}>{words}</span>
      </span>
    </>
  );
}

/** A read-only row with its verdict at the end. */
export function ItemRow({ item, count, words, tone }: ItemBodyProps) {
  return (
    <li className="flex items-center gap-3 p-3 pr-4">
      <ItemBody item={item} {...(count !== undefined && { count })} words={words} tone={tone} />
      {tone === 'good' && <CircleCheck size={28} aria-hidden className="text-success shrink-0" />}
      {tone === 'bad' && <CircleX size={28} aria-hidden className="text-danger shrink-0" />}
    </li>
  );
}

export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring"
    >
      {children}
    </ul>
  );
}
