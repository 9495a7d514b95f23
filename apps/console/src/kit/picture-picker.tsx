/** The picture of a form: shows the chosen one, and opens a dialog to choose or upload another. */
import { m } from '@athos/messages/messages';
import { FieldError } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Picture } from '@athos/ui/primitives/picture';
import ImageIcon from 'lucide-react/icons/image';
import { useEffect, useId, useRef, useState } from 'react';
import { useAdminItem, useAdminList } from '../api/admin.ts';
import { addressesOf } from '../api/picture-addresses.ts';
import { DenseField } from './dense-field.tsx';
import { Dialog } from './dialog.tsx';
import { FailureView } from './failure.tsx';
import { LoadMore } from './load-more.tsx';
import { useLack } from './permission.ts';
import {
  PictureGrid,
  PictureGridSkeleton,
  UploadButton,
  UploadList,
  type PictureRow,
} from './picture-grid.tsx';
import { usePictureUploads } from './picture-uploads.ts';

interface PicturePickerProps {
  label: string;
  /** The id of the chosen picture; null for none. */
  value: string | null;
  onValueChange: (pictureId: string | null) => void;
  error?: string | undefined;
}

export function PicturePicker({ label, value, onValueChange, error }: PicturePickerProps) {
  const errorId = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div
      role="group"
      aria-label={label}
      aria-describedby={error === undefined ? undefined : errorId}
      className="flex flex-col gap-2"
    >
      <span aria-hidden className="text-caption text-ink-quiet font-semibold">
        {label}
      </span>
      {value === null ? (
        <span className="text-dense text-ink-quiet">{m.pictures_none()}</span>
      ) : (
        <Chosen id={value} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" isDense onClick={() => setIsOpen(true)}>
          {value === null ? m.pictures_choose() : m.pictures_change()}
        </Button>
        {value !== null && (
          <Button variant="plain" isDense onClick={() => onValueChange(null)}>
            {m.pictures_clear()}
          </Button>
        )}
      </div>
      <FieldError id={errorId} error={error} />
      {isOpen && (
        <PickerDialog
          onClose={() => setIsOpen(false)}
          onChoose={(pictureId) => {
            onValueChange(pictureId);
            setIsOpen(false);
          }}
        />
      )}
    </div>
  );
}

function Chosen({ id }: { id: string }) {
  const { item, failure, reload } = useAdminItem('picture', { params: { id } });
  if (failure !== undefined) return <FailureView failure={failure} onRetry={reload} />;
  return (
    <div className="w-48">
      <Picture
        {...(item === undefined ? { sources: [], src: '' } : addressesOf(item))}
        sizes="12rem"
        className="rounded-small"
      />
    </div>
  );
}

interface PickerDialogProps {
  onClose: () => void;
  onChoose: (pictureId: string) => void;
}

function PickerDialog({ onClose, onChoose }: PickerDialogProps) {
  const [q, setQ] = useState('');
  const list = useAdminList('pictures', q.trim() === '' ? {} : { q: q.trim() });
  const lack = useLack()('catalogue.edit');
  // Uploads outlive the dialog. One that ends after it was closed chooses nothing.
  const choose = useRef<PickerDialogProps['onChoose']>(undefined);
  useEffect(() => {
    choose.current = onChoose;
    return () => void (choose.current = undefined);
  }, [onChoose]);
  const uploads = usePictureUploads(({ id }) => choose.current?.(id));
  return (
    <Dialog title={m.pictures_choose()} onClose={onClose}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <DenseField
            type="search"
            label={m.pictures_search()}
            placeholder={m.pictures_search_hint()}
            value={q}
            onValueChange={setQ}
          />
        </div>
        <UploadButton uploads={uploads} disabledReason={lack} variant="quiet" />
      </div>
      <UploadList uploads={uploads} />
      {list.failure !== undefined && <FailureView failure={list.failure} onRetry={list.reload} />}
      {list.rows === undefined && list.failure === undefined && <PictureGridSkeleton />}
      {list.rows?.length === 0 && (
        <EmptyState icon={<ImageIcon size={28} aria-hidden />} title={m.pictures_empty()} />
      )}
      {list.rows !== undefined && list.rows.length > 0 && (
        <PictureGrid label={m.pictures_title()} pictures={list.rows}>
          {(picture) => <Choice picture={picture} onChoose={onChoose} />}
        </PictureGrid>
      )}
      <LoadMore list={list} />
    </Dialog>
  );
}

const ID_SHOWN = 8;

function Choice({
  picture,
  onChoose,
}: { picture: PictureRow } & Pick<PickerDialogProps, 'onChoose'>) {
  const { id, alternativeText } = picture;
  const name = alternativeText === '' ? id.slice(0, ID_SHOWN) : alternativeText;
  return (
    <button
      type="button"
      aria-label={m.pictures_choose_this({ name })}
      className="rounded-small focus-visible:outline-focus hover:bg-sunken text-caption flex w-full flex-col gap-1 p-1 text-left focus-visible:outline-2"
      onClick={() => onChoose(id)}
    >
      <Picture {...addressesOf(picture)} alt="" sizes="12rem" className="rounded-small" />
      <span className="w-full truncate">{name}</span>
    </button>
  );
}
