/** The tree as nested lists. A category is moved by drag, by its menu, or with Alt and an arrow key. */
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import { Link } from '@athos/ui/primitives/link';
import GripVertical from 'lucide-react/icons/grip-vertical';
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Badge } from '../../kit/badge.tsx';
import { useLack } from '../../kit/permission.ts';
import { paths } from '../../routes/paths.ts';
import {
  childrenOf,
  isWithin,
  placeAfter,
  placeOfDrop,
  type Drop,
  type Place,
  type Step,
} from './category-places.ts';
import type { Category } from './catalogue-words.ts';

const STEPS: Readonly<Record<Step, () => string>> = {
  up: m.catalogue_move_up,
  down: m.catalogue_move_down,
  in: m.catalogue_move_in,
  out: m.catalogue_move_out,
};

const STEP_OF_KEY: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

interface Moving {
  readonly categories: readonly Category[];
  readonly openId: string | undefined;
  readonly lack: string | undefined;
  readonly drag: { readonly id: number; readonly over?: { id: number; drop: Drop } } | undefined;
  readonly setDrag: (drag: Moving['drag']) => void;
  readonly move: (id: number, place: Place) => void;
}

interface TreeProps {
  categories: readonly Category[];
  openId: string | undefined;
}

export function CategoryTree({ categories, openId }: TreeProps) {
  const lack = useLack()('catalogue.edit');
  const { run, isPending } = useAdminAction('moveCategory');
  const [drag, setDrag] = useState<Moving['drag']>();
  const [failure, setFailure] = useState<ActionOutcome<'moveCategory'>>();
  const [movedId, setMovedId] = useState<number>();
  const tree = useRef<HTMLDivElement>(null);

  async function move(id: number, place: Place): Promise<void> {
    if (isPending || lack !== undefined) return;
    setFailure(undefined);
    const outcome = await run({ params: { id }, body: place });
    if (outcome.kind === 'done') setMovedId(id);
    else setFailure(outcome);
  }

  // A row that moved to another parent is a new element, so the focus must be restored for the keys.
  useEffect(() => {
    if (movedId !== undefined) {
      tree.current?.querySelector<HTMLElement>(`[data-category="${movedId}"]`)?.focus();
    }
  }, [movedId, categories]);

  const moving = { categories, openId, lack, drag, setDrag };
  return (
    <div ref={tree} className="flex flex-col gap-3">
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <Branch parentId={null} moving={{ ...moving, move: (id, place) => void move(id, place) }} />
      <p className="text-caption text-ink-quiet max-w-column">{m.catalogue_category_hint()}</p>
      <p role="status" className="sr-only">
        {movedText(categories, movedId)}
      </p>
    </div>
  );
}

function movedText(categories: readonly Category[], movedId: number | undefined): string {
  const moved = categories.find(({ id }) => id === movedId);
  if (moved === undefined) return '';
  const parent = categories.find(({ id }) => id === moved.parentId);
  return m.catalogue_moved({
    title: moved.title,
    position: childrenOf(categories, moved.parentId).indexOf(moved) + 1,
    parent: parent?.title ?? m.catalogue_category_top(),
  });
}

function Branch({ parentId, moving }: { parentId: number | null; moving: Moving }) {
  const items = childrenOf(moving.categories, parentId);
  if (items.length === 0) return null;
  return (
    <ul
      aria-label={parentId === null ? m.catalogue_categories() : undefined}
      className={classNames(
        'flex flex-col',
        parentId === null
          ? 'rounded-small bg-surface inset-ring-line inset-ring'
          : 'border-line ml-4 border-l small:ml-7',
      )}
    >
      {items.map((category) => (
        <li key={category.id}>
          <Row category={category} moving={moving} />
          <Branch parentId={category.id} moving={moving} />
        </li>
      ))}
    </ul>
  );
}

/** The part of a row that the pointer is on. */
function dropAt(event: DragEvent<HTMLElement>): Drop {
  const { top, height } = event.currentTarget.getBoundingClientRect();
  const part = (event.clientY - top) / height;
  return part < 0.3 ? 'before' : part > 0.7 ? 'after' : 'inside';
}

const DROP_CLASSES: Readonly<Record<Drop, string>> = {
  before: 'border-t-accent',
  inside: 'bg-info-surface',
  after: 'border-b-accent',
};

function Row({ category, moving }: { category: Category; moving: Moving }) {
  const { categories, openId, lack, drag, setDrag, move } = moving;
  const { id, title, archivedAt, offerCount } = category;
  const canDrop = drag !== undefined && !isWithin(categories, id, drag.id);
  const drop = canDrop && drag.over?.id === id ? drag.over.drop : undefined;

  function step(name: Step): void {
    const place = placeAfter(categories, id, name);
    if (place !== undefined) move(id, place);
  }
  function handleKeyDown(event: KeyboardEvent): void {
    const name = event.altKey ? STEP_OF_KEY[event.key] : undefined;
    if (name === undefined) return;
    event.preventDefault();
    step(name);
  }
  function handleDragOver(event: DragEvent<HTMLElement>): void {
    if (!canDrop) return;
    event.preventDefault();
    setDrag({ id: drag.id, over: { id, drop: dropAt(event) } });
  }
  function handleDrop(event: DragEvent<HTMLElement>): void {
    if (!canDrop) return;
    event.preventDefault();
    setDrag(undefined);
    move(drag.id, placeOfDrop(categories, category, dropAt(event)));
  }
  return (
    <div
      draggable={lack === undefined}
      onDragStart={() => setDrag({ id })}
      onDragEnd={() => setDrag(undefined)}
      onDragOver={handleDragOver}
      onDrop={handleDrop}
      className={classNames(
        'hover:bg-sunken flex min-h-11 flex-wrap items-center gap-2 border-y-2 border-transparent px-2',
        drop !== undefined && DROP_CLASSES[drop],
        drag?.id === id && 'opacity-50',
        String(id) === openId && 'bg-sunken',
      )}
    >
      <GripVertical
        size={16}
        aria-hidden
        className={classNames('text-ink-quiet shrink-0', lack === undefined && 'cursor-grab')}
      />
      <Link
        to={paths.category(id)}
        data-category={id}
        aria-current={String(id) === openId || undefined}
        aria-keyshortcuts={
          lack === undefined ? 'Alt+ArrowUp Alt+ArrowDown Alt+ArrowLeft Alt+ArrowRight' : undefined
        }
        onKeyDown={handleKeyDown}
        draggable={false}
        className="rounded-dense text-dense control flex min-w-0 grow basis-24 items-center font-semibold wrap-anywhere"
      >
        {title}
      </Link>
      {archivedAt !== null && <Badge>{m.catalogue_category_archived()}</Badge>}
      <span className="text-caption text-ink-quiet tabular hidden whitespace-nowrap small:block">
        {m.catalogue_category_offers({ count: offerCount })}
      </span>
      <Steps category={category} moving={moving} onStep={step} />
    </div>
  );
}

function Steps(props: { category: Category; moving: Moving; onStep: (step: Step) => void }) {
  const { category, moving, onStep } = props;
  return (
    <ActionMenu
      actions={(Object.keys(STEPS) as Step[]).map((name) => ({
        label: STEPS[name](),
        onPress: () => onStep(name),
        disabledReason:
          moving.lack ??
          (placeAfter(moving.categories, category.id, name) === undefined
            ? m.catalogue_move_none()
            : undefined),
      }))}
    />
  );
}
