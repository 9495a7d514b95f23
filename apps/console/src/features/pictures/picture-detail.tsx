/** One picture: its description, its crop point, and its uses. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { CopyId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { PictureForm } from './picture-form.tsx';

export type ShownPicture = AdminAnswer<'picture'>;

const titleOf = ({ alternativeText }: ShownPicture): string =>
  alternativeText === '' ? m.pictures_undescribed() : alternativeText;

export function PictureDetail({ id }: { id: string }) {
  const read = useAdminItem('picture', { params: { id } });
  const [isRemoving, setIsRemoving] = useState(false);
  return (
    <DetailOf read={read} kind={m.pictures_one()} backTo={paths.pictures}>
      {(picture) => (
        <Detail
          kind={m.pictures_one()}
          title={titleOf(picture)}
          plainTitle={titleOf(picture)}
          state={
            picture.useCount > 0 && (
              <Badge tone="success">{m.pictures_used_count({ count: picture.useCount })}</Badge>
            )
          }
          actions={<Remove picture={picture} onRemove={() => setIsRemoving(true)} />}
          backTo={paths.pictures}
        >
          <PictureForm key={picture.id} picture={picture} />
          <Facts
            facts={[
              {
                label: m.pictures_size(),
                value: m.pictures_size_value({ width: picture.width, height: picture.height }),
              },
              { label: m.pictures_uploaded_at(), value: <Time at={picture.uploadedAt} /> },
              { label: m.console_id(), value: <CopyId id={picture.id} /> },
            ]}
          />
          <Uses picture={picture} />
          <AuditOf type="picture" id={id} />
          {isRemoving && <RemoveDialog id={id} onClose={() => setIsRemoving(false)} />}
        </Detail>
      )}
    </DetailOf>
  );
}

function Remove({ picture, onRemove }: { picture: ShownPicture; onRemove: () => void }) {
  const lack = useLack()('catalogue.edit');
  const inUse = picture.isRemovable ? undefined : m.pictures_remove_named();
  return (
    <Button
      isDense
      variant="quiet"
      icon={<Trash2 size={16} aria-hidden />}
      disabledReason={lack ?? inUse}
      onClick={onRemove}
    >
      {m.pictures_remove()}
    </Button>
  );
}

function RemoveDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { run, isPending } = useAdminAction('removePicture');
  const navigate = useNavigate();
  return (
    <ActionDialog
      title={m.pictures_remove_title()}
      effect={m.pictures_remove_effect()}
      actLabel={m.pictures_remove()}
      isDanger
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id } })}
      doneText={m.pictures_removed()}
      onClose={(outcome) => {
        onClose();
        if (outcome?.kind === 'done') void navigate(paths.pictures);
      }}
    />
  );
}

const USE_TITLES = {
  offer: m.pictures_use_offer,
  category: m.pictures_use_category,
} as const;

function Uses({ picture }: { picture: ShownPicture }) {
  const { uses, isRemovable } = picture;
  const none = isRemovable ? m.pictures_uses_soon() : m.pictures_uses_once();
  return (
    <Section title={m.pictures_uses()}>
      {uses.length === 0 && <p className="text-dense text-ink-quiet">{none}</p>}
      <ul className="text-dense flex flex-col">
        {uses.map(({ type, id, title }) => (
          <li key={`${type} ${id}`} className="flex min-h-8 flex-wrap items-center gap-x-3">
            <span className="text-ink-quiet w-20">{USE_TITLES[type]()}</span>
            <span className="min-w-0 wrap-anywhere">{title}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
