import type { LinkProps } from '@athos/ui/link';
import { Link } from 'react-router';

/** The router's link for `packages/ui`, which knows no router. Page changes are view transitions (look.md). */
export function RouterLink({ to, ...rest }: LinkProps) {
  return <Link viewTransition to={to} {...rest} />;
}
