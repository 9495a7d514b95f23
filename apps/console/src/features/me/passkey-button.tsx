import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import type { ButtonLook } from '@athos/ui/primitives/button-class';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ask } from '../../api/call.ts';
import { makePasskey } from '../../api/passkeys.ts';

type PasskeyButtonProps = ButtonLook & {
  onDone: () => void;
  /** Called with the reason for a failure. */
  onFailure: (text: string) => void;
};

/** Adds a passkey of this device, or of a security key, to the signed-in person. */
export function PasskeyButton({ onDone, onFailure, ...look }: PasskeyButtonProps) {
  const add = useAdminAction('addPasskey');
  const [isAsking, setIsAsking] = useState(false);

  async function handleAdd(): Promise<void> {
    setIsAsking(true);
    try {
      const passkey = await makePasskey(await ask('newPasskeyOptions', {}));
      const outcome = await add.run({ body: { passkey, name: m.console_factor_passkey() } });
      if (outcome.kind === 'done') onDone();
      else onFailure(outcome.kind === 'refused' ? outcome.title : m.console_unknown());
    } catch {
      // The browser's dialog was closed, or the options did not arrive.
      onFailure(m.console_passkey_not_made());
    }
    setIsAsking(false);
  }

  return (
    <Button
      {...look}
      icon={<KeyRound size={look.isDense === true ? 16 : 20} aria-hidden />}
      isPending={isAsking || add.isPending}
      onClick={() => void handleAdd()}
    >
      {m.console_factor_add_passkey()}
    </Button>
  );
}
