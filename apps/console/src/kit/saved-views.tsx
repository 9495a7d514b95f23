/** The person's own views of a list: a saved view is the state of the list's address under a name. */
import { m } from '@athos/messages/messages';
import { buttonClass } from '@athos/ui/primitives/button-class';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Bookmark from 'lucide-react/icons/bookmark';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../api/admin.ts';
import { OutcomeNotice } from './action-dialog.tsx';
import { DenseField } from './dense-field.tsx';
import { FailureView } from './failure.tsx';
import { DenseIconButton } from './icon-button.tsx';
import { savedSearch, type ListView } from './list-view.ts';
import { PopupButton } from './popup-button.tsx';
import { optionClass } from './popup.ts';

const NAME_LENGTH_MAX = 60;

interface SavedViewsProps {
  /** The address of the list. */
  list: string;
  view: ListView;
}

export function SavedViews({ list, view }: SavedViewsProps) {
  return (
    <PopupButton
      label={m.console_views()}
      triggerClass={buttonClass({ variant: 'quiet', isDense: true })}
      trigger={
        <>
          <Bookmark size={16} aria-hidden />
          {m.console_views()}
        </>
      }
    >
      {(close) => <Views list={list} view={view} onChosen={close} />}
    </PopupButton>
  );
}

function Views({ list, view, onChosen }: SavedViewsProps & { onChosen: () => void }) {
  const { item, failure, reload } = useAdminItem('savedViews', { query: { list } });
  const remove = useAdminAction('removeView');
  const [outcome, setOutcome] = useState<ActionOutcome<'removeView' | 'saveView'>>();
  const current = savedSearch(view.search);
  return (
    <div className="flex flex-col gap-1">
      {item === undefined && failure === undefined && <Skeleton className="h-9 w-full" />}
      {item === undefined && failure !== undefined && (
        <FailureView failure={failure} onRetry={reload} />
      )}
      {item?.items.length === 0 && (
        <p className="text-caption text-ink-quiet px-2 py-1.5">{m.console_views_none()}</p>
      )}
      {outcome !== undefined && <OutcomeNotice outcome={outcome} />}
      <ul aria-label={m.console_views()} className="flex max-h-80 flex-col overflow-y-auto">
        {item?.items.map(({ id, name, search }) => (
          <li key={id} className="flex items-center">
            <button
              type="button"
              aria-current={search === current || undefined}
              className={`${optionClass} min-w-0 aria-current:font-semibold`}
              onClick={() => {
                view.show(search);
                onChosen();
              }}
            >
              <span className="truncate">{name}</span>
            </button>
            <DenseIconButton
              label={m.console_view_remove({ name })}
              icon={<Trash2 size={14} aria-hidden />}
              disabled={remove.isPending}
              onClick={() => void remove.run({ params: { id } }).then(setOutcome)}
            />
          </li>
        ))}
      </ul>
      <SaveForm
        list={list}
        search={current}
        names={item?.items.map(({ name }) => name) ?? []}
        onOutcome={setOutcome}
      />
    </div>
  );
}

interface SaveFormProps {
  list: string;
  search: string;
  names: readonly string[];
  onOutcome: (outcome: ActionOutcome<'saveView'>) => void;
}

function SaveForm({ list, search, names, onOutcome }: SaveFormProps) {
  const { run, isPending } = useAdminAction('saveView');
  const [text, setText] = useState('');
  const name = text.trim();
  async function handleSave(): Promise<void> {
    const outcome = await run({ body: { list, name, search } });
    onOutcome(outcome);
    if (outcome.kind === 'done') setText('');
  }
  return (
    <form
      className="border-line flex flex-col gap-2 border-t p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (name !== '') void handleSave();
      }}
    >
      <DenseField
        label={m.console_view_name()}
        value={text}
        onValueChange={setText}
        maxLength={NAME_LENGTH_MAX}
        hint={names.includes(name) ? m.console_view_replaces() : m.console_view_hint()}
      />
      <Button
        type="submit"
        isDense
        isPending={isPending}
        disabledReason={name === '' ? m.console_view_unnamed() : undefined}
      >
        {m.console_view_save()}
      </Button>
    </form>
  );
}
