/** The description of a picture, and the point that stays visible when it is cropped. */
import { ALTERNATIVE_TEXT_MAX } from '@athos/contract/console/picture-files';
import { m } from '@athos/messages/messages';
import { classNames } from '@athos/ui/primitives/class-names';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Picture, type PictureRatio } from '@athos/ui/primitives/picture';
import { useId, useState, type PointerEvent } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { addressesOf } from '../../api/picture-addresses.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseText } from '../../kit/dense-field.tsx';
import { Section } from '../../kit/detail.tsx';
import { useLack } from '../../kit/permission.ts';
import type { ShownPicture } from './picture-detail.tsx';

type Described = Pick<ShownPicture, 'alternativeText' | 'cropX' | 'cropY'>;

const describedOf = ({ alternativeText, cropX, cropY }: Described): Described => ({
  alternativeText,
  cropX,
  cropY,
});

/** What was typed, over the picture as it was then. Until somebody types, the newest one is shown. */
interface Draft {
  readonly base: ShownPicture;
  readonly typed: Described;
}

export function PictureForm({ picture }: { picture: ShownPicture }) {
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<ActionOutcome<'changePicture'>>();
  const { run, isPending } = useAdminAction('changePicture');
  const lack = useLack()('catalogue.edit');
  const { base, typed } = draft ?? { base: picture, typed: describedOf(picture) };
  const isSame = JSON.stringify(typed) === JSON.stringify(describedOf(base));
  const handleType = (part: Partial<Described>): void =>
    setDraft({ base, typed: { ...typed, ...part } });

  async function save(version: number): Promise<void> {
    setFailure(undefined);
    const outcome = await run({ params: { id: picture.id }, body: typed }, version);
    if (outcome.kind !== 'done') return setFailure(outcome);
    setDraft(undefined);
    toasts.show('success', m.pictures_saved(), 4000);
  }

  const present = failure?.kind === 'conflict' ? (failure.present as ShownPicture) : undefined;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save(base.version);
      }}
    >
      {present !== undefined && (
        <Conflict
          present={describedOf(present)}
          typed={typed}
          isPending={isPending}
          onKeep={() => void save(present.version)}
          onTake={() => {
            setDraft({ base: present, typed: describedOf(present) });
            setFailure(undefined);
          }}
        />
      )}
      {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
      <CropPoint
        picture={{ ...picture, ...typed }}
        onChange={handleType}
        isReadOnly={lack !== undefined}
      />
      <DenseText
        label={m.pictures_alternative()}
        hint={m.pictures_alternative_hint()}
        value={typed.alternativeText}
        maxLength={ALTERNATIVE_TEXT_MAX}
        rows={2}
        onValueChange={(alternativeText) => handleType({ alternativeText })}
      />
      <div>
        <Button
          type="submit"
          isDense
          isPending={isPending}
          isDisabled={isSame}
          disabledReason={lack}
        >
          {m.pictures_save()}
        </Button>
      </div>
    </form>
  );
}

type Crop = Pick<Described, 'cropX' | 'cropY'>;

const PER_CENT = 100;
const shareOf = (at: number, from: number, length: number): number =>
  Math.round(Math.min(1, Math.max(0, (at - from) / length)) * PER_CENT);

interface CropPointProps {
  picture: ShownPicture;
  onChange: (crop: Crop) => void;
  isReadOnly: boolean;
}

function CropPoint({ picture, onChange, isReadOnly }: CropPointProps) {
  const { cropX, cropY, width, height } = picture;
  function handlePoint({ currentTarget, clientX, clientY, buttons }: PointerEvent): void {
    if (buttons === 0 || isReadOnly) return;
    const box = currentTarget.getBoundingClientRect();
    onChange({
      cropX: shareOf(clientX, box.left, box.width),
      cropY: shareOf(clientY, box.top, box.height),
    });
  }
  const { sources, src, alt = '' } = addressesOf(picture);
  return (
    <Section title={m.pictures_crop()}>
      <p className="text-caption text-ink-quiet">{m.pictures_crop_hint()}</p>
      <div
        className="rounded-small relative cursor-crosshair touch-none self-start overflow-hidden"
        onPointerDown={handlePoint}
        onPointerMove={handlePoint}
      >
        <picture>
          {sources.map(({ type, srcSet }) => (
            <source key={type} type={type} srcSet={srcSet} sizes="30rem" />
          ))}
          <img
            src={src}
            alt={alt}
            width={width}
            height={height}
            draggable={false}
            className="max-h-80 w-auto max-w-full"
          />
        </picture>
        <span
          aria-hidden
          className="rounded-pill border-surface bg-accent shadow-card pointer-events-none absolute size-5 -translate-1/2 border-2"
          style={{ left: `${cropX}%`, top: `${cropY}%` }}
        />
      </div>
      <CropSlider
        label={m.pictures_crop_left()}
        value={cropX}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange({ cropX: value, cropY })}
      />
      <CropSlider
        label={m.pictures_crop_top()}
        value={cropY}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange({ cropX, cropY: value })}
      />
      <Shapes picture={picture} />
    </Section>
  );
}

interface CropSliderProps {
  label: string;
  value: number;
  isReadOnly: boolean;
  onChange: (value: number) => void;
}

function CropSlider({ label, value, isReadOnly, onChange }: CropSliderProps) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <label htmlFor={id} className="text-caption text-ink-quiet w-full font-semibold small:w-48">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={PER_CENT}
        value={value}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.valueAsNumber)}
        className="accent-accent h-11 min-w-0 flex-1 basis-24"
      />
      <span className="text-dense tabular w-8 text-right">{value}</span>
    </div>
  );
}

const SHAPES: readonly { ratio: PictureRatio; className: string }[] = [
  { ratio: 'square', className: 'w-20' },
  { ratio: 'wide', className: 'w-36' },
  { ratio: 'banner', className: 'w-48' },
];

/** The shapes to which the wallet crops pictures. */
function Shapes({ picture }: { picture: ShownPicture }) {
  return (
    <div role="group" aria-label={m.pictures_crop_shapes()} className="flex flex-wrap gap-3">
      {SHAPES.map(({ ratio, className }) => (
        <div key={ratio} className={classNames('max-w-full', className)}>
          <Picture
            {...addressesOf(picture)}
            alt=""
            ratio={ratio}
            sizes="12rem"
            className="rounded-small"
          />
        </div>
      ))}
    </div>
  );
}
