/** Asks the user to accept new terms. Until then they may read everything; the server refuses calls that move value. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useCallback, useEffect, useState } from 'react';
import { refreshTerms, useMustAccept } from '../../api/terms.ts';
import { areTermsMissing } from '../../state/terms.ts';

/** Not with `lazy`, which keeps a failure: 'Read them' would find it again, and its error would replace the whole app. */
const loadDialog = () =>
  import('./terms-dialog.tsx').then(
    ({ TermsDialog }) => TermsDialog,
    () => undefined,
  );

export function TermsGate() {
  const version = useMustAccept();
  const isMissing = useValue(areTermsMissing);
  const [putOff, setPutOff] = useState<string>();
  const [Dialog, setDialog] = useState<Awaited<ReturnType<typeof loadDialog>>>();
  const isAsked = version !== undefined && (isMissing || putOff !== version);

  useEffect(() => {
    if (isMissing) void refreshTerms();
  }, [isMissing]);

  const handlePutOff = useCallback((): void => {
    areTermsMissing.set(false);
    setPutOff(version);
  }, [version]);

  useEffect(() => {
    if (!isAsked) return;
    void loadDialog().then((loaded) => {
      setDialog(() => loaded);
      // The bar, which needs no further code, then offers them.
      if (loaded === undefined) handlePutOff();
    });
  }, [isAsked, handlePutOff]);

  async function handleRead(): Promise<void> {
    const loaded = await loadDialog();
    if (loaded === undefined) toasts.show('danger', m.shell_terms_failed(), 5000);
    else setPutOff(undefined);
  }

  if (version === undefined) return null;
  return (
    <>
      {!isAsked && (
        <div
          role="status"
          className="bg-info-surface border-line safe-inline border-b pt-[env(safe-area-inset-top)]"
        >
          <div className="max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
            <p className="text-caption grow basis-48 text-pretty">
              <strong className="text-body text-info block font-semibold">
                {m.shell_terms_title()}
              </strong>
              {m.shell_terms_waiting()}
            </p>
            <Button variant="quiet" isCompact onClick={() => void handleRead()}>
              {m.shell_terms_read()}
            </Button>
          </div>
        </div>
      )}
      {isAsked && Dialog !== undefined && <Dialog version={version} onPutOff={handlePutOff} />}
    </>
  );
}
