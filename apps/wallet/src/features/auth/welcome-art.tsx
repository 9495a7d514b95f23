import { BrandMark } from '@athos/ui/layout/brand-mark';
import CarFront from 'lucide-react/icons/car-front';
import Music from 'lucide-react/icons/music';
import TicketPercent from 'lucide-react/icons/ticket-percent';

const RINGS = [44, 72, 104, 140, 180];

const BENEFITS = [
  { name: 'music', Icon: Music, place: 'top-[9%] left-[14%]' },
  { name: 'discount', Icon: TicketPercent, place: 'top-[20%] right-[11%]' },
  { name: 'car', Icon: CarFront, place: 'bottom-[10%] left-[22%]' },
];

/** Decorative: the brand's mark with waves of music, discounts and cars. The text beside it says the same. */
export function WelcomeArt() {
  return (
    <div
      aria-hidden="true"
      className="bg-sunken rounded-large relative min-h-56 grow overflow-hidden"
    >
      <svg
        viewBox="0 0 320 320"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
        fill="none"
      >
        {RINGS.map((radius) => (
          <circle
            key={radius}
            cx="160"
            cy="160"
            r={radius}
            className="stroke-line"
            strokeWidth="2"
          />
        ))}
      </svg>
      <div className="absolute inset-0 flex items-center justify-center">
        <BrandMark className="text-accent rail:size-40 size-24" />
      </div>
      {BENEFITS.map(({ name, Icon, place }) => (
        <span
          key={name}
          className={`bg-surface text-accent-text shadow-card rounded-pill rail:size-24 absolute flex size-16 items-center justify-center ${place}`}
        >
          <Icon className="rail:size-10 size-7" />
        </span>
      ))}
    </div>
  );
}
