import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import KeyRound from 'lucide-react/icons/key-round';
import { useEffect, useEffectEvent, useState } from 'react';
import { canAutofill, signInWithPasskey, withdrawPasskeys } from '../../api/passkeys.ts';

/** The server accepts a challenge for five minutes. */
const RENEWED_MS = 4 * 60 * 1000;

/** Offers passkeys by autofill in the e-mail field, and with a button. */
export function PasskeyOffer({ onSignedIn }: { onSignedIn: () => void }) {
  const [isAsking, setIsAsking] = useState(false);

  const offer = useEffectEvent(async () => {
    if (!(await canAutofill())) return;
    if (await signInWithPasskey({ isByAutofill: true })) onSignedIn();
  });
  // An offer cancels the browser's prompt, and the prompt an offer. So there is none while the prompt is open, and one as soon as it is closed.
  useEffect(() => {
    if (isAsking) return;
    void offer();
    // A new offer cancels the previous one.
    const timer = setInterval(() => void offer(), RENEWED_MS);
    return () => clearInterval(timer);
  }, [isAsking]);
  useEffect(() => () => void withdrawPasskeys(), []);

  async function handleUse(): Promise<void> {
    if (isAsking) return;
    setIsAsking(true);
    const isSignedIn = await signInWithPasskey({ isByAutofill: false });
    setIsAsking(false);
    if (isSignedIn) onSignedIn();
  }

  return (
    <Button
      variant="quiet"
      isWide
      icon={<KeyRound size={20} aria-hidden />}
      isPending={isAsking}
      onClick={() => void handleUse()}
    >
      {m.auth_passkey_use()}
    </Button>
  );
}
