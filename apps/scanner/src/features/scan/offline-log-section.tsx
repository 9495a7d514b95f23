import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { saveText } from '@athos/ui/primitives/save-text';
import { useValue } from '@athos/app-core/value';
import { useEffect, useState } from 'react';
import Download from 'lucide-react/icons/download';
import { countWaiting, logText } from '../../api/offline-sync.ts';
import { offlineStatus } from '../../state/offline-status.ts';

const FILE = { name: 'offline-log.json', type: 'application/json' };

const exportLog = async (): Promise<void> => saveText(await logText(), FILE);

/** Redemptions by this device that the server does not have, and any problem with the log. Renders nothing on a device without a log. */
export function OfflineLogSection() {
  const status = useValue(offlineStatus);
  if (status === undefined || !(status.isSuspect || status.waitingCount > 0)) return null;
  return (
    <section aria-label={m.scanner_offline_log_title()} className="flex flex-col gap-3">
      {status.isSuspect && (
        <Notice kind="danger" title={m.scanner_offline_suspect_title()}>
          {m.scanner_offline_suspect()}
        </Notice>
      )}
      {status.waitingCount > 0 && (
        <LogExport words={m.scanner_offline_waiting({ count: status.waitingCount })} />
      )}
    </section>
  );
}

/** The same for the sign-in, where nothing is sent and the log is not followed. */
export function WaitingLog() {
  const [waitingCount, setWaitingCount] = useState(0);
  useEffect(() => {
    let isHere = true;
    countWaiting().then(
      (count) => isHere && setWaitingCount(count),
      // Without readable storage, there is nothing to export.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, []);
  if (waitingCount === 0) return null;
  return (
    <section aria-label={m.scanner_offline_log_title()} className="flex flex-col gap-3">
      <LogExport words={m.scanner_offline_waiting_signed_out({ count: waitingCount })} />
    </section>
  );
}

function LogExport({ words }: { words: string }) {
  return (
    <>
      <Notice kind="info">{words}</Notice>
      <Button
        variant="quiet"
        isWide
        icon={<Download size={20} aria-hidden />}
        onClick={() => void exportLog()}
        aria-describedby="export-note"
      >
        {m.scanner_offline_log_export()}
      </Button>
      <p id="export-note" className="text-caption text-ink-quiet text-center">
        {m.scanner_offline_log_export_text()}
      </p>
    </>
  );
}
