import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { BrandMark } from './brand-mark.tsx';
import { PoweredBy } from './powered-by.tsx';

/** Spec 2: shown until the start-up data has loaded. The app decides for how long. */
export function Splash() {
  return (
    <div
      role="status"
      aria-label={m.shell_splash_label({ brand: brand.name })}
      className="bg-ground fixed inset-0 z-40 flex flex-col items-center"
    >
      <div className="flex grow flex-col items-center justify-center gap-4">
        <BrandMark className="text-accent animate-breathe size-20" />
        <span className="font-display text-headline font-bold tracking-tight">{brand.name}</span>
      </div>
      <PoweredBy />
    </div>
  );
}
