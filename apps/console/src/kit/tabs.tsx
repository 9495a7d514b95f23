/** Views of the same list, as links, so that each has its own address. */
import { classNames } from '@athos/ui/primitives/class-names';
import { Link } from '@athos/ui/primitives/link';

export interface Tab {
  readonly label: string;
  readonly to: string;
  readonly isCurrent: boolean;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label}>
      <ul className="border-line flex flex-wrap gap-1 border-b">
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              to={tab.to}
              aria-current={tab.isCurrent ? 'page' : undefined}
              className={classNames(
                'control rounded-dense text-dense inline-flex items-center border-b-2 px-3 font-semibold transition-colors duration-150 ease-out',
                tab.isCurrent
                  ? 'border-accent text-ink'
                  : 'text-ink-quiet hover:text-ink border-transparent',
              )}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
