import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/**
 * A lazily loaded part without which its screen is still usable. It renders nothing if it cannot be loaded, where `lazy` alone would
 * replace the whole screen with its error screen.
 */
export const optionalPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(() =>
    load().then(
      (Part) => ({ default: Part }),
      () => ({ default: () => null }),
    ),
  );
