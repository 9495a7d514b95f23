/** One offer: its published fields, its unpublished changes, and its stock. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminItem } from '../../api/admin.ts';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { AuditOf } from '../../kit/audit-of.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf, ObjectLink, Section } from '../../kit/detail.tsx';
import { Difference } from '../../kit/difference.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { useKey } from '../../kit/keys.ts';
import { LoadingPage, Page } from '../../kit/page.tsx';
import { useLack } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { STATE_TITLES, STATE_TONES, type Choices, type ConsoleOffer } from './catalogue-words.ts';
import type { OfferAct } from './offer-dialogs.tsx';
import { OfferFacts, OfferPrices, shownFields } from './offer-facts.tsx';
import { OfferStock } from './offer-stock.tsx';

const OfferDialog = lazy(async () => ({
  default: (await import('./offer-dialogs.tsx')).OfferDialog,
}));
const OfferForm = lazy(async () => ({ default: (await import('./offer-form.tsx')).OfferForm }));
const OfferPreview = lazy(async () => ({
  default: (await import('./offer-preview.tsx')).OfferPreview,
}));

export function NewOfferScreen() {
  const { item: choices, failure, reload } = useAdminItem('offerChoices', {});
  const navigate = useNavigate();
  if (choices === undefined) {
    if (failure === undefined) return <LoadingPage title={m.catalogue_offer_new()} />;
    return (
      <Page title={m.catalogue_offer_new()}>
        <FailureView failure={failure} onRetry={reload} />
      </Page>
    );
  }
  return (
    <Suspense fallback={<LoadingPage title={m.catalogue_offer_new()} />}>
      <OfferForm
        offer={undefined}
        choices={choices}
        onDone={(id) => void navigate(id === undefined ? paths.offers : paths.offer(id))}
      />
    </Suspense>
  );
}

export function OfferScreen() {
  const { id = '' } = useParams();
  const read = useAdminItem('consoleOffer', { params: { id } });
  const { item: choices, ...choicesRead } = useAdminItem('offerChoices', {});
  const [isEditing, setIsEditing] = useState(false);
  function handleReload(): void {
    read.reload();
    choicesRead.reload();
  }
  return (
    <DetailOf
      // The screen needs both.
      read={{
        item: choices === undefined ? undefined : read.item,
        failure: read.failure ?? choicesRead.failure,
        reload: handleReload,
      }}
      kind={m.catalogue_offer()}
      backTo={paths.offers}
    >
      {(offer) =>
        choices !== undefined &&
        (isEditing ? (
          <Suspense
            fallback={
              <LoadingPage title={m.catalogue_offer_edit_title({ title: offer.fields.title })} />
            }
          >
            <OfferForm offer={offer} choices={choices} onDone={() => setIsEditing(false)} />
          </Suspense>
        ) : (
          <OfferPage offer={offer} choices={choices} onEdit={() => setIsEditing(true)} />
        ))
      }
    </DetailOf>
  );
}

/** The reason why nothing can be published; `undefined` if something can. */
function publishObstacle({ state, draft, requestId }: ConsoleOffer): string | undefined {
  if (requestId !== null) return m.catalogue_publish_waiting();
  const isNew = state === 'draft' || state === 'withdrawn';
  return isNew || draft !== null ? undefined : m.catalogue_publish_nothing();
}

interface OfferPageProps {
  offer: ConsoleOffer;
  choices: Choices;
  onEdit: () => void;
}

function OfferPage({ offer, choices, onEdit }: OfferPageProps) {
  const [act, setAct] = useState<OfferAct>();
  const lack = useLack();
  const { id, state, fields, draft } = offer;
  const editLack = lack('catalogue.edit');
  useKey('e', editLack === undefined ? m.catalogue_offer_edit() : undefined, onEdit);
  const isWithdrawable = state !== 'draft' && state !== 'withdrawn';
  return (
    <Detail
      kind={m.catalogue_offer()}
      title={fields.title}
      plainTitle={fields.title}
      state={<Badge tone={STATE_TONES[state]}>{STATE_TITLES[state]()}</Badge>}
      actions={
        <>
          <ActionMenu
            actions={[
              {
                label: m.catalogue_discard(),
                onPress: () => setAct('discard'),
                disabledReason:
                  editLack ?? (draft === null ? m.catalogue_publish_nothing() : undefined),
              },
              {
                label: m.catalogue_withdraw(),
                isDanger: true,
                onPress: () => setAct('withdraw'),
                disabledReason:
                  lack('catalogue.publish') ?? (isWithdrawable ? undefined : STATE_TITLES[state]()),
              },
            ]}
          />
          <Button variant="quiet" isDense disabledReason={editLack} onClick={onEdit}>
            {m.catalogue_offer_edit()}
          </Button>
          <Button
            isDense
            disabledReason={lack('catalogue.publish') ?? publishObstacle(offer)}
            onClick={() => setAct('publish')}
          >
            {state === 'withdrawn' ? m.catalogue_put_back() : m.catalogue_publish()}
          </Button>
        </>
      }
      backTo={paths.offers}
    >
      <Waiting offer={offer} />
      {draft !== null && <DraftSection draft={draft} offer={offer} choices={choices} />}
      <OfferFacts offer={offer} choices={choices} />
      <Section title={m.catalogue_preview()}>
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <OfferPreview offer={offer} choices={choices} />
        </Suspense>
      </Section>
      <OfferPrices offer={offer} />
      <OfferStock offer={offer} />
      <AuditOf type="offer" id={String(id)} />
      {act !== undefined && (
        <Suspense fallback={null}>
          <OfferDialog act={act} offer={offer} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
    </Detail>
  );
}

function Waiting({ offer: { requestId } }: { offer: ConsoleOffer }) {
  if (requestId === null) return null;
  return (
    <Notice
      kind="info"
      title={m.catalogue_publish_waiting()}
      action={<ObjectLink to={paths.approval(requestId)}>{m.catalogue_request()}</ObjectLink>}
    />
  );
}

function DraftSection(props: {
  draft: NonNullable<ConsoleOffer['draft']>;
  offer: ConsoleOffer;
  choices: Choices;
}) {
  const { draft, offer, choices } = props;
  return (
    <Section title={m.catalogue_draft()}>
      <p className="text-caption text-ink-quiet">
        {m.catalogue_draft_by({ name: draft.savedBy.name })}, <Time at={draft.savedAt} />
      </p>
      <Difference
        before={shownFields(offer.fields, choices)}
        after={shownFields(draft.fields, choices)}
      />
    </Section>
  );
}
