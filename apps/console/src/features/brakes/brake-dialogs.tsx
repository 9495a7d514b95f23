import type { BrakeName } from '@athos/contract/brakes';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseText } from '../../kit/dense-field.tsx';
import { BRAKE_TITLES } from './brake-words.ts';

interface BrakeDialogProps {
  name: BrakeName;
  onClose: () => void;
}

const NOTICE_LENGTH_MIN = 10;
const NOTICE_LENGTH_MAX = 300;

export function PullDialog({ name, onClose }: BrakeDialogProps) {
  const { run, isPending } = useAdminAction('pullBrake');
  const [notice, setNotice] = useState(m.brakes_notice_default());
  const what = BRAKE_TITLES[name]();
  return (
    <ActionDialog
      title={m.brakes_pull({ what })}
      effect={m.brakes_pull_effect({ what })}
      actLabel={m.brakes_pull({ what })}
      isDanger
      doneText={m.brakes_pull_done({ what })}
      disabledReason={
        notice.trim().length < NOTICE_LENGTH_MIN
          ? m.brakes_notice_too_short({ count: NOTICE_LENGTH_MIN })
          : undefined
      }
      isPending={isPending}
      run={(reason) => run({ params: { id: name }, body: { reason, notice: notice.trim() } })}
      onClose={onClose}
    >
      <DenseText
        label={m.brakes_notice()}
        hint={m.brakes_notice_hint()}
        value={notice}
        onValueChange={setNotice}
        maxLength={NOTICE_LENGTH_MAX}
      />
    </ActionDialog>
  );
}

export function ReleaseDialog({ name, onClose }: BrakeDialogProps) {
  const { run, isPending } = useAdminAction('releaseBrake');
  const what = BRAKE_TITLES[name]();
  return (
    <ActionDialog
      title={m.brakes_release({ what })}
      effect={m.brakes_release_effect({ what })}
      actLabel={m.brakes_release({ what })}
      doneText={m.brakes_release_done({ what })}
      isPending={isPending}
      run={(reason) => run({ params: { id: name }, body: { reason } })}
      onClose={onClose}
    />
  );
}
