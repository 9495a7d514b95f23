import { m } from '@athos/messages/messages';
import { TextField } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { useState, type Ref } from 'react';
import { useOfflineReason } from '../../state/offline-reason.ts';

const NAME_LENGTH_MAX = 60;

interface NameFormProps {
  name: string;
  firstField: Ref<HTMLInputElement>;
  /** Resolves to whether it was done. */
  onSubmit: (name: string) => Promise<boolean>;
  onEnd: () => void;
}

export function NameForm({ name: before, firstField, onSubmit, onEnd }: NameFormProps) {
  const [name, setName] = useState(before);
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();

  async function handleSubmit(): Promise<void> {
    if (isPending || name.trim() === '') return;
    setIsPending(true);
    const isDone = await onSubmit(name);
    setIsPending(false);
    if (isDone) onEnd();
  }

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <TextField
        ref={firstField}
        label={m.security_passkey_name()}
        value={name}
        onValueChange={setName}
        required
        maxLength={NAME_LENGTH_MAX}
      />
      <Button type="submit" isWide isPending={isPending} disabledReason={offlineReason}>
        {m.security_passkey_save()}
      </Button>
      <Button variant="plain" isWide onClick={onEnd}>
        {m.security_passkey_cancel()}
      </Button>
    </form>
  );
}
