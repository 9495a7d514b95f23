import { createElement, type FunctionComponent, type SVGProps } from 'react';

/** The tag and the attributes of each shape, in React's spelling. */
type Shapes = readonly (readonly [tag: string, attributes: Record<string, string>])[];

type IconProps = Omit<SVGProps<SVGSVGElement>, 'ref'> & { readonly size?: number };

/** An icon of Lucide as the builds draw it (`packages/app-build/src/small-icons.ts`). */
export const createIcon =
  (shapes: Shapes): FunctionComponent<IconProps> =>
  ({ size = 24, className = '', ...props }) =>
    createElement(
      'svg',
      {
        width: size,
        height: size,
        viewBox: '0 0 24 24',
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': true,
        className: `lucide ${className}`,
        ...props,
      },
      ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
    );
