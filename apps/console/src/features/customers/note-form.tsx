import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { DenseText } from '../../kit/dense-field.tsx';
import { useLack } from '../../kit/permission.ts';

const NOTE_LENGTH_MAX = 2000;

/** Adds a note. Notes cannot be edited, so that colleagues can rely on them. */
export function NoteForm({ uuid }: { uuid: string }) {
  const lack = useLack()('customers.note');
  const { run, isPending } = useAdminAction('addNote');
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<ActionOutcome<'addNote'>>();

  async function handleAdd(): Promise<void> {
    const outcome = await run({ params: { uuid }, body: { text: text.trim() } });
    if (outcome.kind !== 'done') return setFailure(outcome);
    setFailure(undefined);
    setText('');
    toasts.show('success', m.customers_note_added(), 3000);
  }

  if (lack !== undefined) return <p className="text-caption text-ink-quiet">{lack}</p>;
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void handleAdd();
      }}
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <DenseText
        label={m.customers_note()}
        hint={m.customers_note_hint()}
        rows={2}
        maxLength={NOTE_LENGTH_MAX}
        value={text}
        onValueChange={setText}
      />
      <Button
        type="submit"
        variant="quiet"
        isDense
        isPending={isPending}
        isDisabled={text.trim() === ''}
      >
        {m.customers_note_add()}
      </Button>
    </form>
  );
}
