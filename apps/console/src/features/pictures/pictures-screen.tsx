/** All pictures, the newest first, with uploads by choice and by drop. */
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { classNames } from '@athos/ui/primitives/class-names';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Link } from '@athos/ui/primitives/link';
import { Picture } from '@athos/ui/primitives/picture';
import ImageIcon from 'lucide-react/icons/image';
import { lazy, Suspense, useState, type DragEvent } from 'react';
import { useParams } from 'react-router';
import { useAdminList } from '../../api/admin.ts';
import { addressesOf } from '../../api/picture-addresses.ts';
import { Badge } from '../../kit/badge.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { LoadingDetail } from '../../kit/detail.tsx';
import { ListDetail } from '../../kit/list-detail.tsx';
import { countText } from '../../kit/list-page.tsx';
import { ListSearch, searchFilter } from '../../kit/list-search.tsx';
import { useListView, type Filter } from '../../kit/list-view.ts';
import { LoadMore } from '../../kit/load-more.tsx';
import { Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import {
  PictureGrid,
  PictureGridSkeleton,
  UploadButton,
  UploadList,
  type PictureRow,
} from '../../kit/picture-grid.tsx';
import { usePictureUploads } from '../../kit/picture-uploads.ts';
import { paths } from '../../routes/paths.ts';

const PictureDetail = lazy(async () => ({
  default: (await import('./picture-detail.tsx')).PictureDetail,
}));

const useFilter = (): Filter => ({
  id: 'use',
  label: m.pictures_use(),
  kind: 'choice',
  options: [
    { value: 'used', label: m.pictures_used() },
    { value: 'unused', label: m.pictures_unused() },
  ],
});

/** Whether a drag contains files, as far as a page may know before the drop. */
const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');

export function PicturesScreen() {
  const { id } = useParams();
  return (
    <ListDetail
      list={<Pictures openId={id} />}
      detail={
        id === undefined ? undefined : (
          <Suspense fallback={<LoadingDetail kind={m.pictures_one()} backTo={paths.pictures} />}>
            <PictureDetail key={id} id={id} />
          </Suspense>
        )
      }
    />
  );
}

function Pictures({ openId }: { openId: string | undefined }) {
  const filters = [searchFilter(m.pictures_search()), useFilter()];
  const view = useListView(filters);
  const list = useAdminList('pictures', view.query);
  const lack = useLack()('catalogue.edit');
  const [isOver, setIsOver] = useState(false);
  const uploads = usePictureUploads(() => toasts.show('success', m.pictures_stored(), 4000));
  const suffix = view.search === '' ? '' : `?${view.search}`;

  function handleDrag(event: DragEvent, isNowOver: boolean): void {
    if (lack !== undefined || !hasFiles(event)) return;
    event.preventDefault();
    setIsOver(isNowOver);
  }
  return (
    <div
      className={classNames(
        'rounded-medium flex grow flex-col',
        isOver && 'outline-focus outline-2 outline-offset-8 outline-dashed',
      )}
      onDragOver={(event) => handleDrag(event, true)}
      onDragLeave={(event) => handleDrag(event, false)}
      onDrop={(event) => {
        handleDrag(event, false);
        if (lack === undefined) uploads.add(event.dataTransfer.files);
      }}
    >
      <Page
        title={m.pictures_title()}
        count={list.count === undefined ? undefined : countText(list.count)}
        actions={<UploadButton uploads={uploads} disabledReason={lack} />}
      >
        {lack === undefined && (
          <p className="text-caption text-ink-quiet">
            {isOver ? m.pictures_drop_here() : m.pictures_drop()}
          </p>
        )}
        <ListSearch view={view} label={m.pictures_search()} hint={m.pictures_search_hint()} />
        <FilterBar filters={[useFilter()]} view={view} />
        <UploadList uploads={uploads} />
        {list.failure !== undefined && <FailureView failure={list.failure} onRetry={list.reload} />}
        {list.rows === undefined && list.failure === undefined && <PictureGridSkeleton />}
        {list.rows?.length === 0 && (
          <EmptyState icon={<ImageIcon size={28} aria-hidden />} title={m.pictures_empty()} />
        )}
        {list.rows !== undefined && list.rows.length > 0 && (
          <PictureGrid label={m.pictures_title()} pictures={list.rows}>
            {(picture) => (
              <PictureLink
                picture={picture}
                to={paths.picture(picture.id) + suffix}
                isOpen={picture.id === openId}
              />
            )}
          </PictureGrid>
        )}
        <LoadMore list={list} />
      </Page>
    </div>
  );
}

function PictureLink(props: { picture: PictureRow; to: string; isOpen: boolean }) {
  const { picture, to, isOpen } = props;
  const { alternativeText, useCount } = picture;
  return (
    <Link
      to={to}
      aria-current={isOpen ? 'true' : undefined}
      className={classNames(
        'rounded-small focus-visible:outline-focus text-caption flex flex-col gap-1 p-1 focus-visible:outline-2',
        isOpen ? 'bg-sunken' : 'hover:bg-sunken',
      )}
    >
      <Picture {...addressesOf(picture)} alt="" sizes="12rem" className="rounded-small" />
      <span className={classNames('wrap-anywhere', alternativeText === '' && 'text-ink-quiet')}>
        {alternativeText === '' ? m.pictures_undescribed() : alternativeText}
      </span>
      <span>
        <Badge tone={useCount > 0 ? 'success' : 'neutral'}>
          {useCount > 0 ? m.pictures_used() : m.pictures_unused()}
        </Badge>
      </span>
    </Link>
  );
}
