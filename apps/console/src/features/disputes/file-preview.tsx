import { m } from '@athos/messages/messages';
import { buttonClass } from '@athos/ui/primitives/button-class';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useAdminItem } from '../../api/admin.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FailureView } from '../../kit/failure.tsx';
import type { Dispute } from './dispute-screen.tsx';

interface FilePreviewProps {
  disputeId: string;
  file: Dispute['files'][number];
  onClose: () => void;
}

/** Shows a picture, and offers any file as a download. The page's security policy forbids showing files in a frame. */
export function FilePreview({ disputeId, file, onClose }: FilePreviewProps) {
  const { item, failure, reload } = useAdminItem('evidenceFile', {
    params: { id: disputeId, field: file.field },
  });
  const address = item && `data:${item.type};base64,${item.base64}`;
  return (
    <Dialog
      title={file.name}
      onClose={onClose}
      actions={
        address !== undefined && (
          <a href={address} download={file.name} className={buttonClass({ isWide: true })}>
            {m.disputes_file_download()}
          </a>
        )
      }
    >
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {failure === undefined && item === undefined && <Skeleton className="h-64 w-full" />}
      {address !== undefined &&
        (file.type.startsWith('image/') ? (
          <img
            src={address}
            alt={file.name}
            className="rounded-small inset-ring-line mx-auto max-h-[60dvh] max-w-full inset-ring"
          />
        ) : (
          <p className="text-dense text-ink-quiet">{m.disputes_file_no_preview()}</p>
        ))}
    </Dialog>
  );
}
