import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation } from 'react-router';
import { hasPasskeys } from '../../api/passkey-support.ts';
import { passkeysQuery } from '../../api/passkeys.ts';
import { paths } from '../../routes/paths.ts';
import { declinePasskey } from '../../state/own-choices.ts';

/** Offers a passkey above home until one exists or the user declines. */
export function PasskeyInvitation() {
  const { pathname } = useLocation();
  const { data: passkeys } = useQuery({ ...passkeysQuery, enabled: hasPasskeys() });
  const [isDeclined, setIsDeclined] = useState(false);
  const headingId = useId();
  if (isDeclined || pathname !== paths.home || passkeys?.length !== 0) return null;

  function handleDecline(): void {
    declinePasskey();
    setIsDeclined(true);
  }

  return (
    <section
      aria-labelledby={headingId}
      className="bg-raised border-line safe-inline border-b pt-[env(safe-area-inset-top)]"
    >
      <div className="max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto flex flex-wrap items-center justify-end gap-3 px-4 py-3">
        <div className="min-w-0 flex-[1_1_14rem]">
          <h2 id={headingId} className="text-body font-semibold">
            {m.security_passkey_invitation_title()}
          </h2>
          <p className="text-caption text-ink-quiet text-pretty">{m.security_passkeys_text()}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="plain" isCompact onClick={handleDecline}>
            {m.security_passkey_invitation_decline()}
          </Button>
          <ButtonLink to={paths.passkeys} isCompact>
            {m.security_passkey_add()}
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
