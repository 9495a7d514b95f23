import House from 'lucide-react/icons/house';
import * as house from 'lucide-react/icons/house';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createIcon } from './icon.ts';

const { __iconData: data } = house as unknown as {
  readonly __iconData: { readonly node: Parameters<typeof createIcon>[0] };
};
const SmallHouse = createIcon(data.node);

/** Lucide also names the icon in its classes, and the namespace, which a page does not need. */
const withoutNames = (markup: string): string =>
  markup
    .replaceAll(/lucide-[\w-]+ ?/g, '')
    .replace(' xmlns="http://www.w3.org/2000/svg"', '')
    .replaceAll(/ ?"(?=[ >/])/g, '"');

const attributesOf = (markup: string): readonly string[] =>
  withoutNames(markup)
    .split(/(?<=") |(?=[/>])/)
    .toSorted();

it.each([
  ['at the usual size', {}],
  ['in its place', { size: 20, 'aria-hidden': true, className: 'text-ink shrink-0' }],
] as const)('draws an icon as Lucide does, %s', (_case, props) => {
  expect(attributesOf(renderToStaticMarkup(<SmallHouse {...props} />))).toEqual(
    attributesOf(renderToStaticMarkup(<House {...props} />)),
  );
});
