import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { stopRecovery } from '../../api/recovery.ts';
import { secondStepQuery } from '../../api/second-step.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';
import { moment } from '@athos/ui/text/moment';

/** The waiting period is three days, so an owner with the app open learns of it early enough. */
const LOOK_AGAIN_MS = 10 * 60_000;

/** Warns the owner on every screen that the second step is about to be removed, and lets them stop it. */
export function RecoveryBar() {
  const { data } = useQuery({ ...secondStepQuery, refetchInterval: LOOK_AGAIN_MS });
  const offlineReason = useOfflineReason();
  const [isStopping, setIsStopping] = useState(false);
  if (data === undefined || data.recoveryEndsAt === null) return null;

  async function handleStop(): Promise<void> {
    setIsStopping(true);
    await stopRecovery();
    setIsStopping(false);
  }

  return (
    <div
      role="alert"
      className="bg-danger-surface border-line safe-inline border-b pt-[env(safe-area-inset-top)]"
    >
      <div className="max-w-column @rail/shell:mx-0 @rail/shell:px-8 mx-auto flex flex-wrap items-center gap-3 px-4 py-2.5">
        <p className="text-body min-w-0 flex-[1_1_14rem] font-semibold text-pretty">
          {m.security_recovery_bar({ date: moment(data.recoveryEndsAt) })}
        </p>
        <Button
          isCompact
          isPending={isStopping}
          disabledReason={offlineReason}
          onClick={() => void handleStop()}
        >
          {m.security_recovery_stop()}
        </Button>
      </div>
    </div>
  );
}
