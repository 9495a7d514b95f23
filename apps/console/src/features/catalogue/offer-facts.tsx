/** The fields of an offer in words: as facts, and as sides of a difference. */
import { m } from '@athos/messages/messages';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { Money, moneyText } from '../../kit/money.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import {
  categoryPath,
  KIND_TITLES,
  OFFER_DISPLAYS,
  TIP_KIND,
  type Choices,
  type ConsoleOffer,
  type OfferFields,
} from './catalogue-words.ts';

const utcText = (at: string | null): string =>
  at === null ? '' : `${at.slice(0, 16).replace('T', ' ')} UTC`;

/** Every field by its label, as a person reads it. */
export function shownFields(fields: OfferFields, choices: Choices): Record<string, unknown> {
  const category = choices.categories.find(({ id }) => id === fields.categoryId);
  const tier = choices.tiers.find(({ id }) => id === fields.tierIdMin);
  const merchant = choices.merchants.find(({ id }) => id === fields.merchantId);
  return {
    [m.catalogue_title()]: fields.title,
    [m.catalogue_category()]: category === undefined ? '' : categoryPath(category),
    [m.catalogue_kind()]: KIND_TITLES[fields.kind](),
    [m.catalogue_display()]: OFFER_DISPLAYS[fields.displayType](),
    [m.catalogue_price()]: fields.kind === TIP_KIND ? '' : moneyText(fields.price, 'ATH'),
    [m.catalogue_prices()]: fields.priceWindows.map(
      ({ price, startsAt, endsAt }) =>
        `${moneyText(price, 'ATH')} (${utcText(startsAt)} – ${utcText(endsAt)})`,
    ),
    [m.catalogue_note()]: fields.note,
    [m.catalogue_picture()]: fields.pictureId ?? fields.img,
    [m.catalogue_sale_from()]: utcText(fields.saleStartsAt),
    [m.catalogue_sale_until()]: utcText(fields.saleEndsAt),
    [m.catalogue_user_max()]: fields.userCountMax === null ? '' : String(fields.userCountMax),
    [m.catalogue_tier_min()]: tier?.title ?? m.catalogue_tier_none(),
    [m.merchants_one()]: merchant?.name ?? m.merchants_shop(),
  };
}

interface OfferPartProps {
  offer: ConsoleOffer;
  choices: Choices;
}

export function OfferFacts({ offer, choices }: OfferPartProps) {
  const { id, fields, priceNow } = offer;
  const { saleStartsAt, saleEndsAt, userCountMax } = fields;
  const category = choices.categories.find((one) => one.id === fields.categoryId);
  const tier = choices.tiers.find((one) => one.id === fields.tierIdMin);
  return (
    <Facts
      isWide
      facts={[
        {
          label: m.catalogue_price(),
          value: <Money units={priceNow} asset="ATH" />,
          isHidden: fields.kind === TIP_KIND,
        },
        { label: m.catalogue_kind(), value: KIND_TITLES[fields.kind]() },
        {
          label: m.catalogue_category(),
          value: category === undefined ? offer.categoryTitle : categoryPath(category),
        },
        { label: m.catalogue_display(), value: OFFER_DISPLAYS[fields.displayType]() },
        {
          label: m.catalogue_sale_from(),
          value: saleStartsAt !== null && <Time at={saleStartsAt} />,
          isHidden: saleStartsAt === null,
        },
        {
          label: m.catalogue_sale_until(),
          value: saleEndsAt !== null && <Time at={saleEndsAt} />,
          isHidden: saleEndsAt === null,
        },
        {
          label: m.catalogue_user_max(),
          value: userCountMax,
          isHidden: userCountMax === null,
        },
        { label: m.catalogue_tier_min(), value: tier?.title ?? m.catalogue_tier_none() },
        {
          label: m.merchants_one(),
          value:
            fields.merchantId === null ? (
              m.merchants_shop()
            ) : (
              <ObjectLink to={paths.merchant(fields.merchantId)}>{offer.merchantName}</ObjectLink>
            ),
          isHidden: fields.kind === TIP_KIND,
        },
        { label: m.console_id(), value: <CopyId id={String(id)} /> },
      ]}
    />
  );
}

/** The published price windows. */
export function OfferPrices({ offer }: { offer: ConsoleOffer }) {
  const { price, priceWindows } = offer.fields;
  return (
    <Section title={m.catalogue_prices()}>
      {priceWindows.length === 0 ? (
        <p className="text-dense text-ink-quiet">{m.catalogue_prices_none()}</p>
      ) : (
        <ul className="divide-line text-dense flex flex-col divide-y">
          {priceWindows.map((window) => (
            <li
              key={window.startsAt}
              className="flex min-h-10 flex-wrap items-center justify-between gap-x-4"
            >
              <span>
                <Time at={window.startsAt} /> – <Time at={window.endsAt} />
              </span>
              <Money units={window.price} asset="ATH" />
            </li>
          ))}
          <li className="flex min-h-10 flex-wrap items-center justify-between gap-x-4">
            {m.catalogue_price_own()}
            <Money units={price} asset="ATH" />
          </li>
        </ul>
      )}
    </Section>
  );
}
