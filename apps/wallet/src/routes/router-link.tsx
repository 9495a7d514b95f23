import type { LinkProps } from '@athos/ui/primitives/link';
import { Link } from 'react-router';

/** The router's link for `packages/ui`, which knows no router. */
export function RouterLink({ to, ...rest }: LinkProps) {
  return <Link to={to} {...rest} />;
}
