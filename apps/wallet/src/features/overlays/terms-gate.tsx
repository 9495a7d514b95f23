/** Asks the user to accept new terms. Until then they may read everything; the server refuses calls that move value. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { lazy, Suspense, useEffect, useState } from 'react';
import { refreshTerms, useMustAccept } from '../../api/terms.ts';
import { areTermsMissing } from '../../state/terms.ts';

const TermsDialog = lazy(async () => ({
  default: (await import('./terms-dialog.tsx')).TermsDialog,
}));

export function TermsGate() {
  const version = useMustAccept();
  const isMissing = useValue(areTermsMissing);
  const [putOff, setPutOff] = useState<string>();

  useEffect(() => {
    if (isMissing) void refreshTerms();
  }, [isMissing]);

  if (version === undefined) return null;
  const isAsked = isMissing || putOff !== version;
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
            <Button variant="quiet" isCompact onClick={() => setPutOff(undefined)}>
              {m.shell_terms_read()}
            </Button>
          </div>
        </div>
      )}
      {isAsked && (
        <Suspense>
          <TermsDialog
            version={version}
            onPutOff={() => {
              areTermsMissing.set(false);
              setPutOff(version);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
