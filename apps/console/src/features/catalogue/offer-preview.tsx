/** The offer as customers would see it, drawn with the wallet's own components, for a chosen width, theme and tier (O-083). */
import {
  FALLBACK_USD_PER_ATH,
  parseUnits,
  wholeHundredths,
  athHundredths,
  type Rate,
} from '@athos/domain/money';
import { priceAt } from '@athos/domain/price-windows';
import { m } from '@athos/messages/messages';
import { CardGrid } from '@athos/ui/layout/category-cards';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { LinkProvider, type LinkProps } from '@athos/ui/primitives/link';
import { OfferCard } from '@athos/ui/shop/offer-card';
import { isTip, saleBadge, type ShownOffer } from '@athos/ui/shop/offer-words';
import { OfferView } from '@athos/ui/shop/offer-view';
import { InlineMarkdown, plainText } from '@athos/ui/text/markdown';
import { useState, type ReactNode } from 'react';
import { addressesOf } from '../../api/picture-addresses.ts';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { useWidth } from '../../kit/width.ts';
import type { Choices, ConsoleOffer, OfferFields } from './catalogue-words.ts';

interface PreviewProps {
  offer: ConsoleOffer;
  choices: Choices;
}

type Width = 'phone' | 'desktop';
type Theme = 'light' | 'dark';

const THEME_CLASSES: Readonly<Record<Theme, string>> = {
  light: 'scheme-light',
  dark: 'scheme-dark',
};

const timeMs = (at: string | null): number | null => (at === null ? null : Date.parse(at));

function priceOf({ price, priceWindows }: OfferFields, nowMs: number) {
  const now = priceAt(
    {
      price: BigInt(price),
      windows: priceWindows.map((window) => ({
        price: BigInt(window.price),
        startsAtMs: Date.parse(window.startsAt),
        endsAtMs: Date.parse(window.endsAt),
      })),
    },
    nowMs,
  );
  return wholeHundredths(parseUnits(now.toString())) ?? athHundredths(0);
}

/** The offer as it would be after publishing: drafts and withdrawn offers are shown as on sale. */
function shownOffer(offer: ConsoleOffer, isDraft: boolean, nowMs: number): ShownOffer {
  const { fields, picture } = isDraft && offer.draft !== null ? offer.draft : offer;
  return {
    title: fields.title,
    note: fields.note,
    image: picture === null ? { sources: [], src: fields.img } : addressesOf(picture),
    price: priceOf(fields, nowMs),
    kind: fields.kind,
    displayType: fields.displayType,
    sale: {
      isActive: true,
      stockLeft: offer.stock.left,
      saleStartsAtMs: timeMs(fields.saleStartsAt),
      saleEndsAtMs: timeMs(fields.saleEndsAt),
    },
    userCountMax: fields.userCountMax,
    tierIdMin: fields.tierIdMin,
  };
}

const rateOf = ({ usdPerAth }: Choices): Rate =>
  usdPerAth === null ? FALLBACK_USD_PER_ATH : (BigInt(usdPerAth) as Rate);

/** Why a customer of this tier could not buy it; `undefined` if they could. */
function tierReason(offer: ShownOffer, { tiers }: Choices, tierId: string): string | undefined {
  const lowest = tiers.find(({ id }) => id === offer.tierIdMin);
  if (lowest === undefined) return undefined;
  const own = tiers.find(({ id }) => String(id) === tierId);
  const isEnough = own !== undefined && BigInt(own.amount) >= BigInt(lowest.amount);
  return isEnough ? undefined : m.marketplace_reason_tier({ title: lowest.title });
}

/** Links in a preview do nothing. */
const NoLink = ({ to: _to, children, ...rest }: LinkProps) => <span {...rest}>{children}</span>;

interface PreviewChoice {
  /** The unpublished changes, or the published offer. */
  readonly what: 'draft' | 'live';
  readonly width: Width;
  readonly theme: Theme;
  readonly tierId: string;
}

export function OfferPreview({ offer, choices }: PreviewProps) {
  const [choice, setChoice] = useState<PreviewChoice>({
    what: offer.draft === null ? 'live' : 'draft',
    width: 'phone',
    theme: 'light',
    tierId: '',
  });
  const [nowMs] = useState(() => Date.now());
  const shown = shownOffer(offer, choice.what === 'draft', nowMs);
  const Frame = choice.width === 'desktop' ? DesktopFrame : PhoneFrame;
  return (
    <div className="flex flex-col gap-4">
      <PreviewChoices offer={offer} choices={choices} choice={choice} onChange={setChoice} />
      <div
        role="region"
        aria-label={m.catalogue_preview_label({ title: plainText(shown.title) })}
        className="rounded-small inset-ring-line overflow-hidden inset-ring"
      >
        <LinkProvider link={NoLink}>
          <Frame
            className={classNames(
              'bg-ground text-ink text-body flex flex-col gap-6 p-2 small:p-4',
              THEME_CLASSES[choice.theme],
            )}
          >
            <ShownParts
              offer={shown}
              nowMs={nowMs}
              choices={choices}
              reason={saleBadgeReason(shown, nowMs) ?? tierReason(shown, choices, choice.tierId)}
            />
          </Frame>
        </LinkProvider>
      </div>
    </div>
  );
}

interface FrameProps {
  className: string;
  children: ReactNode;
}

/** The widths are those of the wallet's contact sheet, in CSS pixels regardless of the text size. */
const PhoneFrame = ({ className, children }: FrameProps) => (
  <div className={classNames('w-[390px] max-w-full', className)}>{children}</div>
);

const DESKTOP_PX = 1088;

/** Scaled down where there is less room: in a page that scrolls sideways, a part would be overlooked. */
function DesktopFrame({ className, children }: FrameProps) {
  const { ref, width } = useWidth();
  return (
    <div ref={ref}>
      <div
        style={{ width: DESKTOP_PX, zoom: width === 0 ? 1 : Math.min(1, width / DESKTOP_PX) }}
        className={className}
      >
        {children}
      </div>
    </div>
  );
}

interface PreviewChoicesProps extends PreviewProps {
  choice: PreviewChoice;
  onChange: (choice: PreviewChoice) => void;
}

function PreviewChoices({ offer, choices, choice, onChange }: PreviewChoicesProps) {
  const set = (part: Partial<PreviewChoice>): void => onChange({ ...choice, ...part });
  return (
    <div className="grid gap-3 small:grid-cols-2 rail:grid-cols-4">
      {offer.draft !== null && (
        <DenseSelect
          label={m.catalogue_preview_what()}
          value={choice.what}
          onValueChange={(value) => set({ what: value as PreviewChoice['what'] })}
          options={[
            { value: 'draft', label: m.catalogue_preview_draft() },
            { value: 'live', label: m.catalogue_preview_live() },
          ]}
        />
      )}
      <DenseSelect
        label={m.catalogue_preview_width()}
        value={choice.width}
        onValueChange={(value) => set({ width: value as Width })}
        options={[
          { value: 'phone', label: m.catalogue_preview_phone() },
          { value: 'desktop', label: m.catalogue_preview_desktop() },
        ]}
      />
      <DenseSelect
        label={m.catalogue_preview_theme()}
        value={choice.theme}
        onValueChange={(value) => set({ theme: value as Theme })}
        options={[
          { value: 'light', label: m.catalogue_preview_light() },
          { value: 'dark', label: m.catalogue_preview_dark() },
        ]}
      />
      <DenseSelect
        label={m.catalogue_preview_tier()}
        value={choice.tierId}
        onValueChange={(tierId) => set({ tierId })}
        options={[
          { value: '', label: m.catalogue_preview_no_tier() },
          ...choices.tiers.map(({ id, title }) => ({ value: String(id), label: title })),
        ]}
      />
    </div>
  );
}

/** The reason, as shown by its badge, why nobody can buy it now. */
function saleBadgeReason(offer: ShownOffer, nowMs: number): string | undefined {
  const { stockLeft } = offer.sale;
  return stockLeft !== null && stockLeft > 0 ? undefined : saleBadge(offer, nowMs);
}

interface ShownPartsProps {
  offer: ShownOffer;
  nowMs: number;
  choices: Choices;
  reason: string | undefined;
}

/** The card in its category, and the offer's page. */
function ShownParts({ offer, nowMs, choices, reason }: ShownPartsProps) {
  const usdPerAth = rateOf(choices);
  return (
    <>
      <p className="text-caption text-ink-quiet font-semibold">{m.catalogue_preview_card()}</p>
      <CardGrid>
        <OfferCard offer={offer} to="" nowMs={nowMs} usdPerAth={usdPerAth} isFirst />
      </CardGrid>
      <p className="text-caption text-ink-quiet font-semibold">{m.catalogue_preview_page()}</p>
      <div className="@container/shell flex flex-col gap-5">
        <p className="font-display text-title font-bold tracking-tight text-balance">
          <InlineMarkdown text={offer.title} />
        </p>
        <OfferView offer={offer} nowMs={nowMs} tiers={choices.tiers} usdPerAth={usdPerAth}>
          {/* The button is for viewing only. */}
          <div inert>
            <Button isWide disabledReason={reason}>
              {isTip(offer) ? m.marketplace_tip_now() : m.marketplace_add()}
            </Button>
          </div>
        </OfferView>
      </div>
    </>
  );
}
