import { m } from '@athos/messages/messages';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { LegalParagraphs, LegalSkeleton } from '@athos/ui/text/legal-paragraphs';
import { useLegalText, versionText } from '../../api/legal.ts';
import { signOut } from '../../api/sign-out.ts';
import { acceptTerms } from '../../api/terms.ts';
import { paths } from '../../routes/paths.ts';

interface TermsDialogProps {
  /** The version that must be accepted. */
  version: string;
  onPutOff: () => void;
}

/** The new terms, with the choices to accept them, to go on reading without moving value, or to sign out. */
export function TermsDialog({ version, onPutOff }: TermsDialogProps) {
  const text = useLegalText('terms');
  const navigate = useNavigate();
  const [state, setState] = useState<'idle' | 'accepting' | 'failed'>('idle');
  // Only the text that is shown can be accepted.
  const isShown = text?.version === version;

  async function handleAccept(): Promise<void> {
    setState('accepting');
    const outcome = await acceptTerms(version);
    setState(outcome === 'failed' ? 'failed' : 'idle');
  }
  const handleDelete = (): void => {
    onPutOff();
    void navigate(paths.deleteAccount);
  };

  return (
    <Dialog
      isOpen
      title={m.shell_terms_title()}
      description={m.shell_terms_text()}
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={state === 'accepting'} onClick={onPutOff}>
            {m.shell_terms_later()}
          </Button>
          <Button
            isWide
            isPending={state === 'accepting'}
            disabledReason={isShown ? undefined : m.shell_terms_not_shown()}
            onClick={() => void handleAccept()}
          >
            {m.shell_terms_accept()}
          </Button>
        </>
      }
    >
      {state === 'failed' && <Notice kind="danger">{m.shell_terms_failed()}</Notice>}
      <section
        aria-label={m.auth_terms_title()}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        className="text-body bg-sunken rounded-medium flex max-h-96 flex-col gap-4 overflow-y-auto p-4"
      >
        {text === undefined ? (
          <LegalSkeleton />
        ) : (
          <>
            <p className="text-caption text-ink-quiet">{versionText(text)}</p>
            <LegalParagraphs {...text} headingLevel="h3" />
          </>
        )}
      </section>
      <p className="text-caption text-ink-quiet">{m.shell_terms_decline()}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="plain" isCompact onClick={signOut}>
          {m.settings_sign_out()}
        </Button>
        <Button variant="plain" isCompact onClick={handleDelete}>
          {m.settings_delete_account()}
        </Button>
      </div>
    </Dialog>
  );
}
