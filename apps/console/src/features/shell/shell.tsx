/** The frame of every signed-in screen: a rail from 1280 px, below it a bar with a menu. */
import { brand } from '@athos/brand/brand';
import { isNetworkLost } from '@athos/app-core/network';
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { BrandMark } from '@athos/ui/layout/brand-mark';
import { classNames } from '@athos/ui/primitives/class-names';
import { Link } from '@athos/ui/primitives/link';
import MenuIcon from 'lucide-react/icons/menu';
import Search from 'lucide-react/icons/search';
import WifiOff from 'lucide-react/icons/wifi-off';
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Dialog } from '../../kit/dialog.tsx';
import { DenseIconButton } from '../../kit/icon-button.tsx';
import { useIsDesk } from '../../kit/list-detail.tsx';
import { paths } from '../../routes/paths.ts';
import type { Staff } from '../../state/session.ts';
import { KeyCap } from './key-cap.tsx';
import { KeyList } from './key-list.tsx';
import { LimitBar } from './session-ending.tsx';
import { useWays, type NavSection } from './ways.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

interface ShellProps {
  staff: Staff;
  /** Only the sections that the person may open. */
  sections: readonly NavSection[];
  children: ReactNode;
}

export function Shell({ staff, sections, children }: ShellProps) {
  const isDesk = useIsDesk();
  const { pathname } = useLocation();
  const content = useRef<HTMLElement>(null);
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  /** The address at which the menu was opened. The menu closes when the address changes. */
  const [menuAt, setMenuAt] = useState<string>();
  useWays(sections, () => setIsPaletteOpen(true));

  const openPalette = (): void => setIsPaletteOpen(true);
  return (
    <>
      <a
        href="#content"
        onClick={() => content.current?.focus()}
        className="rounded-dense bg-primary text-primary-ink sr-only z-50 px-4 py-2 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {m.shell_skip_to_content()}
      </a>
      <div
        className={classNames(
          '@container/shell min-h-dvh',
          isDesk ? 'grid grid-cols-[14.5rem_minmax(0,1fr)]' : 'flex flex-col',
        )}
      >
        {isDesk ? (
          <Rail staff={staff} sections={sections} onSearch={openPalette} />
        ) : (
          <TopBar onMenu={() => setMenuAt(pathname)} onSearch={openPalette} />
        )}
        <div className="flex min-w-0 flex-col">
          <OfflineBar />
          <LimitBar />
          <main
            ref={content}
            id="content"
            tabIndex={-1}
            className="safe-inline flex min-w-0 grow flex-col outline-none"
          >
            <div className="px-gutter @desk/shell:px-8 flex min-w-0 grow flex-col py-6">
              {children}
            </div>
          </main>
        </div>
      </div>
      {!isDesk && menuAt === pathname && (
        <Dialog onClose={() => setMenuAt(undefined)} title={m.console_menu()}>
          <NavList sections={sections} />
          <Account staff={staff} />
        </Dialog>
      )}
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette sections={sections} onClose={() => setIsPaletteOpen(false)} />
        </Suspense>
      )}
      <KeyList />
    </>
  );
}

function Rail(props: { staff: Staff; sections: readonly NavSection[]; onSearch: () => void }) {
  return (
    <header className="border-line sticky top-0 flex h-dvh flex-col gap-4 overflow-y-auto border-r px-3 py-4">
      <Link to={paths.home} className="rounded-dense flex items-center gap-2 px-2">
        <BrandMark className="text-accent size-6" />
        <span className="font-display text-body font-bold tracking-tight">{brand.name}</span>
        <span className="text-caption text-ink-quiet pt-0.5">{m.console_short_name()}</span>
      </Link>
      <button
        type="button"
        onClick={props.onSearch}
        aria-keyshortcuts="Control+K"
        className="control rounded-dense bg-surface text-dense text-ink-quiet inset-ring-line-strong hover:text-ink flex items-center gap-2 px-2.5 inset-ring"
      >
        <Search size={16} aria-hidden />
        {m.console_palette_open()}
        <KeyCap keys="Ctrl K" className="ml-auto" />
      </button>
      <NavList sections={props.sections} />
      <div className="mt-auto">
        <Account staff={props.staff} />
      </div>
    </header>
  );
}

function TopBar({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  return (
    <header className="bg-ground border-line safe-inline sticky top-0 z-20 flex flex-wrap items-center gap-x-1 border-b px-2 py-1.5">
      <DenseIconButton
        label={m.console_menu()}
        icon={<MenuIcon size={20} aria-hidden />}
        onClick={onMenu}
      />
      <Link to={paths.home} className="rounded-dense flex min-h-11 items-center gap-2 px-1">
        <BrandMark className="text-accent size-6" />
        <span className="font-display text-body font-bold tracking-tight">{brand.name}</span>
      </Link>
      <span className="ml-auto">
        <DenseIconButton
          label={m.console_palette_open()}
          icon={<Search size={20} aria-hidden />}
          onClick={onSearch}
        />
      </span>
    </header>
  );
}

function NavList({ sections }: { sections: readonly NavSection[] }) {
  const { pathname } = useLocation();
  const isCurrent = (path: string): boolean => pathname === path || pathname.startsWith(`${path}/`);
  return (
    <nav aria-label={m.shell_nav_label()} className="flex flex-col gap-4">
      {sections.map(({ title, items }) => (
        <div key={title} className="flex flex-col gap-0.5">
          <h2 className="text-caption text-ink-quiet px-2 py-1 font-semibold">{title}</h2>
          <ul className="flex flex-col gap-0.5">
            {items.map(({ path, label, icon: Icon, Count }) => (
              <li key={path}>
                <Link
                  to={path}
                  aria-current={isCurrent(path) ? 'page' : undefined}
                  className={classNames(
                    'control rounded-dense text-dense flex items-center gap-2.5 px-2 font-semibold transition-colors duration-150 ease-out',
                    isCurrent(path)
                      ? 'bg-sunken text-ink'
                      : 'text-ink-quiet hover:text-ink hover:bg-sunken',
                  )}
                >
                  <Icon size={16} aria-hidden className="shrink-0" />
                  <span className="grow">{label}</span> {Count !== undefined && <Count />}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Account({ staff }: { staff: Staff }) {
  return (
    <Link
      to={paths.me}
      className="rounded-dense hover:bg-sunken flex flex-col px-2 py-2 transition-colors duration-150 ease-out"
    >
      <span className="text-dense font-semibold wrap-anywhere">{staff.name}</span>
      <span className="text-caption text-ink-quiet">{staff.roles.join(', ')}</span>
    </Link>
  );
}

function OfflineBar() {
  const isLost = useValue(isNetworkLost);
  return (
    <div role="status">
      {isLost && (
        <p className="bg-danger-surface text-danger text-dense flex items-center gap-2 px-4 py-2 font-semibold">
          <WifiOff size={16} aria-hidden />
          {m.console_offline()}
        </p>
      )}
    </div>
  );
}
