import { classNames } from './class-names.tsx';

const SOUND_RINGS = [84, 108, 134, 162, 192];

/**
 * The welcome picture: the sun over the peak, sound around it, a road up to it. Drawn with the brand's card colours, so
 * that it belongs to both themes. Decoration; give it a height, it fills the width.
 */
export function WelcomeArt({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 400 300"
      preserveAspectRatio="xMidYMax slice"
      className={classNames('bg-card-from block w-full', className)}
    >
      <g className="fill-none stroke-card-to" strokeWidth="5">
        {SOUND_RINGS.map((radius, index) => (
          <circle key={radius} cx="252" cy="128" r={radius} opacity={0.9 - index * 0.17} />
        ))}
      </g>
      <circle cx="252" cy="128" r="60" className="fill-card-to" />
      <path
        d="M-10 300V196l52-44c8-7 16-6 23 1l60 62 96 20 60-26 34-32c8-7 17-7 24 1l81 76v46Z"
        className="fill-card-ink"
        opacity="0.34"
      />
      <path
        d="M-10 300v-20l82-52 96-116c9-11 21-11 30 0l62 77c12 15 28 20 44 38l32 36 74 26v11Z"
        className="fill-card-ink"
      />
      <path
        d="M168 112 146 139l14-5 10 19 14-16 13 20 10-20 15 5-24-30c-9-11-21-11-30 0Z"
        className="fill-card-paper"
      />
      {/* The road narrows with its distance: a closed shape, not a line. */}
      <path
        d="M196 300c-2-20-50-20-50-38 0-16 44-15 44-30 0-11-24-13-24-25 0-11 16-12 16-23h4c0 14-12 14-12 23 0 9 26 10 26 25 0 19-40 18-40 29 0 12 58 14 58 39Z"
        className="fill-card-from"
      />
    </svg>
  );
}
