import ArrowLeft from 'lucide-react/icons/arrow-left';
import { m } from '@athos/messages/messages';
import { classNames } from '../primitives/class-names.ts';
import { iconButtonClass } from '../primitives/icon-button.tsx';
import { Link } from '../primitives/link.tsx';

/** The arrow at the start of a header. */
export function BackLink({ to }: { to: string }) {
  return (
    <Link
      to={to}
      aria-label={m.common_back()}
      title={m.common_back()}
      className={classNames(iconButtonClass(), '-ml-3')}
    >
      <ArrowLeft size={22} aria-hidden />
    </Link>
  );
}
