/** The form that adds or edits an offer. Changes to a published offer are saved as a draft. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseSelect, DenseText } from '../../kit/dense-field.tsx';
import { PicturePicker } from '../../kit/picture-picker.tsx';
import { Page } from '../../kit/page.tsx';
import { timeZone } from '../../state/time-zone.ts';
import {
  categoryPath,
  KIND_TITLES,
  OFFER_DISPLAYS,
  optionsOf,
  TIP_KIND,
  type Choices,
  type ConsoleOffer,
} from './catalogue-words.ts';
import { draftOf, faultIn, fieldsOf, NEW_OFFER, type OfferDraft } from './offer-draft.ts';
import { shownFields } from './offer-facts.tsx';
import { PriceWindowsField } from './price-windows-field.tsx';

interface OfferFormProps {
  offer: ConsoleOffer | undefined;
  choices: Choices;
  onDone: (offerId: number | undefined) => void;
}

type Outcome = ActionOutcome<'createOffer' | 'saveOffer'>;

/** The fields being edited: the unpublished changes, otherwise the published fields. */
const editedOf = ({ draft, fields }: ConsoleOffer) => draft?.fields ?? fields;

export function OfferForm({ offer, choices, onDone }: OfferFormProps) {
  const zone = useValue(timeZone);
  const create = useAdminAction('createOffer');
  const change = useAdminAction('saveOffer');
  const [draft, setDraft] = useState(
    offer === undefined ? NEW_OFFER : draftOf(editedOf(offer), zone),
  );
  // The version of what was copied into the fields: the offer itself may be read again meanwhile.
  const [version] = useState(offer?.version);
  const [failure, setFailure] = useState<Outcome>();
  const fault = faultIn(draft);

  async function save(over: number | undefined): Promise<void> {
    if (fault !== undefined) return;
    setFailure(undefined);
    const body = fieldsOf(draft, zone);
    const outcome: Outcome =
      offer === undefined
        ? await create.run({ body })
        : await change.run({ params: { id: offer.id }, body }, over);
    if (outcome.kind !== 'done') return setFailure(outcome);
    toasts.show('success', m.catalogue_saved(), 4000);
    onDone(outcome.answer.id);
  }

  const present = failure?.kind === 'conflict' ? (failure.present as ConsoleOffer) : undefined;
  const title =
    offer === undefined
      ? m.catalogue_offer_new()
      : m.catalogue_offer_edit_title({ title: offer.fields.title });
  const isPending = create.isPending || change.isPending;
  return (
    <Page title={title}>
      <form
        className="max-w-column flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save(version);
        }}
      >
        {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
        {present !== undefined && (
          <Conflict
            present={shownFields(editedOf(present), choices)}
            typed={fault === undefined ? shownFields(fieldsOf(draft, zone), choices) : {}}
            isPending={isPending}
            onKeep={() => void save(present.version)}
            onTake={() => onDone(present.id)}
          />
        )}
        <OfferFieldset
          draft={draft}
          choices={choices}
          isPublished={offer !== undefined && offer.state !== 'draft'}
          errors={failure?.kind === 'refused' ? failure.errors : {}}
          onChange={setDraft}
        />
        <div className="flex flex-wrap items-baseline gap-2 pb-8">
          <Button type="submit" isDense isPending={isPending} disabledReason={fault}>
            {m.catalogue_save_draft()}
          </Button>
          <Button variant="quiet" isDense onClick={() => onDone(undefined)}>
            {m.common_cancel()}
          </Button>
        </div>
      </form>
    </Page>
  );
}

export interface FieldsetProps {
  draft: OfferDraft;
  errors: Readonly<Record<string, string>>;
  onChange: (draft: OfferDraft) => void;
}

interface OfferFieldsetProps extends FieldsetProps {
  choices: Choices;
  isPublished: boolean;
}

function OfferFieldset(props: OfferFieldsetProps) {
  const { draft, errors, onChange, choices } = props;
  const set = (part: Partial<OfferDraft>): void => onChange({ ...draft, ...part });
  const isTip = draft.kind === String(TIP_KIND);
  const categories = choices.categories.filter(
    ({ id, isArchived }) => !isArchived || String(id) === draft.categoryId,
  );
  return (
    <>
      <DenseField
        label={m.catalogue_title()}
        value={draft.title}
        onValueChange={(title) => set({ title })}
        maxLength={120}
        error={errors['/title']}
      />
      <DenseSelect
        label={m.catalogue_category()}
        value={draft.categoryId}
        onValueChange={(categoryId) => set({ categoryId })}
        error={errors['/categoryId']}
        options={[
          { value: '', label: '' },
          ...categories.map((category) => ({
            value: String(category.id),
            label: categoryPath(category),
          })),
        ]}
      />
      <LookFields {...props} />
      {!isTip && <PriceFields {...props} />}
      <DenseText
        label={m.catalogue_note()}
        rows={5}
        maxLength={10_000}
        value={draft.note}
        onValueChange={(note) => set({ note })}
      />
      <PicturePicker
        label={m.pictures_one()}
        value={draft.pictureId}
        onValueChange={(pictureId) => set({ pictureId })}
        error={errors['/pictureId']}
      />
      {draft.pictureId === null && (
        <DenseField
          label={m.catalogue_picture()}
          hint={m.catalogue_picture_hint()}
          value={draft.img}
          onValueChange={(img) => set({ img })}
          error={errors['/img']}
        />
      )}
      <SaleFields {...props} isTip={isTip} />
    </>
  );
}

/** The price, and its receiver. */
function PriceFields({ draft, errors, onChange, choices }: OfferFieldsetProps) {
  const set = (part: Partial<OfferDraft>): void => onChange({ ...draft, ...part });
  const merchants = choices.merchants.filter(
    ({ id, isArchived }) => !isArchived || String(id) === draft.merchantId,
  );
  return (
    <>
      <DenseField
        label={m.catalogue_price()}
        hint={m.catalogue_price_hint()}
        inputMode="decimal"
        value={draft.price}
        onValueChange={(price) => set({ price })}
        error={errors['/price']}
      />
      <PriceWindowsField draft={draft} errors={errors} onChange={onChange} />
      <DenseSelect
        label={m.merchants_one()}
        hint={m.merchants_choice_hint()}
        value={draft.merchantId}
        onValueChange={(merchantId) => set({ merchantId })}
        error={errors['/merchantId']}
        options={[
          { value: '', label: m.merchants_shop() },
          ...merchants.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </>
  );
}

/** The kind of the offer, and the look of its card. */
function LookFields({ draft, errors, onChange, isPublished }: OfferFieldsetProps) {
  const set = (part: Partial<OfferDraft>): void => onChange({ ...draft, ...part });
  return (
    <div className="grid gap-4 small:grid-cols-2">
      {!isPublished && (
        <DenseSelect
          label={m.catalogue_kind()}
          value={draft.kind}
          onValueChange={(kind) => set({ kind })}
          error={errors['/kind']}
          options={KIND_TITLES.map((title, kind) => ({ value: String(kind), label: title() }))}
        />
      )}
      <DenseSelect
        label={m.catalogue_display()}
        value={draft.displayType}
        onValueChange={(value) => set({ displayType: value as OfferDraft['displayType'] })}
        options={optionsOf(OFFER_DISPLAYS)}
      />
    </div>
  );
}

/** When the offer is sold, to whom, and how many. */
function SaleFields({
  draft,
  errors,
  onChange,
  choices,
  isTip,
}: OfferFieldsetProps & { isTip: boolean }) {
  const zone = useValue(timeZone);
  const set = (part: Partial<OfferDraft>): void => onChange({ ...draft, ...part });
  return (
    <div className="grid gap-4 small:grid-cols-2">
      <DenseField
        type="datetime-local"
        label={m.catalogue_sale_from()}
        hint={m.catalogue_zone_hint({ zone })}
        value={draft.saleFrom}
        onValueChange={(saleFrom) => set({ saleFrom })}
      />
      <DenseField
        type="datetime-local"
        label={m.catalogue_sale_until()}
        hint={m.catalogue_zone_hint({ zone })}
        value={draft.saleUntil}
        onValueChange={(saleUntil) => set({ saleUntil })}
        error={errors['/saleEndsAt']}
      />
      {!isTip && (
        <DenseField
          label={m.catalogue_user_max()}
          hint={m.catalogue_user_max_hint()}
          inputMode="numeric"
          value={draft.userMax}
          onValueChange={(userMax) => set({ userMax })}
        />
      )}
      <DenseSelect
        label={m.catalogue_tier_min()}
        value={draft.tierId}
        onValueChange={(tierId) => set({ tierId })}
        error={errors['/tierIdMin']}
        options={[
          { value: '', label: m.catalogue_tier_none() },
          ...choices.tiers.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
      />
    </div>
  );
}
