/** A grid of pictures, and the buttons and progress of uploads. Shared by the pictures' screen and the picker. */
import { PICTURE_TYPES } from '@athos/contract/console/picture-files';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import ImageUp from 'lucide-react/icons/image-up';
import { useRef, type ReactNode } from 'react';
import type { RowOf } from '../api/admin.ts';
import { DenseIconButton } from './icon-button.tsx';
import type { PictureUpload, PictureUploads } from './picture-uploads.ts';
import { Progress } from './progress.tsx';
import X from 'lucide-react/icons/x';

export type PictureRow = RowOf<'pictures'>;

const gridClass = 'grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3';

export function PictureGrid(props: {
  label: string;
  pictures: readonly PictureRow[];
  children: (picture: PictureRow) => ReactNode;
}) {
  return (
    <ul aria-label={props.label} className={gridClass}>
      {props.pictures.map((picture) => (
        <li key={picture.id} className="min-w-0">
          {props.children(picture)}
        </li>
      ))}
    </ul>
  );
}

const SKELETON_COUNT = 8;

export const PictureGridSkeleton = () => (
  <div role="status" aria-label={m.common_loading()} className={gridClass}>
    {Array.from({ length: SKELETON_COUNT }, (_, index) => (
      <Skeleton key={index} className="aspect-4/3 w-full" />
    ))}
  </div>
);

/** Opens the file chooser. */
export function UploadButton(props: {
  uploads: PictureUploads;
  disabledReason: string | undefined;
  variant?: 'primary' | 'quiet';
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        isDense
        variant={props.variant ?? 'primary'}
        icon={<ImageUp size={16} aria-hidden />}
        disabledReason={props.disabledReason}
        onClick={() => input.current?.click()}
      >
        {m.pictures_upload()}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={m.pictures_upload()}
        accept={PICTURE_TYPES.join(',')}
        onChange={({ target }) => {
          props.uploads.add(target.files ?? []);
          target.value = '';
        }}
      />
    </>
  );
}

/** Uploads that are in progress or have failed. */
export function UploadList({ uploads }: { uploads: PictureUploads }) {
  if (uploads.uploads.length === 0) return null;
  return (
    <ul aria-label={m.pictures_uploads()} className="flex flex-col gap-2">
      {uploads.uploads.map((one) => (
        <li key={one.key}>
          <UploadLine upload={one} uploads={uploads} />
        </li>
      ))}
    </ul>
  );
}

const PER_CENT = 100;

function stateText({ state, share }: PictureUpload): string {
  if (state === 'waiting') return m.pictures_waiting();
  const sent = Math.floor(share * PER_CENT);
  return sent === PER_CENT ? m.pictures_reading() : m.pictures_sending({ share: sent });
}

function UploadLine({ upload, uploads }: { upload: PictureUpload; uploads: PictureUploads }) {
  const { key, file, share, failure, state } = upload;
  if (failure === undefined) {
    return (
      <div className="text-dense">
        <span className="font-semibold wrap-anywhere">{file.name}</span>
        <Progress label={file.name} text={stateText(upload)} done={share} total={1} />
      </div>
    );
  }
  return (
    <Notice
      kind="danger"
      title={file.name}
      action={
        <div className="flex items-center gap-2">
          {state === 'unknown' && (
            <Button variant="quiet" isDense onClick={() => uploads.retry(key)}>
              {m.common_try_again()}
            </Button>
          )}
          <DenseIconButton
            label={m.pictures_dismiss({ name: file.name })}
            icon={<X size={16} aria-hidden />}
            onClick={() => uploads.dismiss(key)}
          />
        </div>
      }
    >
      {failure}
    </Notice>
  );
}
