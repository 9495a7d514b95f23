import { pictureAddresses } from '@athos/contract/pictures';
import type { RowOf } from './admin.ts';

type Shown = Pick<
  RowOf<'pictures'>,
  'id' | 'widths' | 'formats' | 'alternativeText' | 'cropX' | 'cropY'
>;

/** The props of the component `Picture`. */
export const addressesOf = ({ alternativeText, cropX, cropY, ...picture }: Shown) =>
  pictureAddresses(
    { ...picture, alternative_text: alternativeText, crop_x: cropX, crop_y: cropY },
    '',
  );
