import type { ReactNode } from 'react';
import { Header } from './header.tsx';
import { Activity, ScreenFrame } from './screen.tsx';
import type { ScreenProps } from './screen.tsx';

/** The same screen beside its list. The page keeps the list's title and landmark. */
function Detail(props: ScreenProps) {
  const { children, action, aside, title, heading, isTitleHidden, backTo, search, actions } = props;
  return (
    <section aria-label={title} className="flex flex-col gap-5">
      <Header {...{ title, heading, isTitleHidden, backTo, search, actions }} level={2} />
      {children}
      {aside}
      {action !== undefined && <div className="pt-4">{action}</div>}
    </section>
  );
}

/** Two screens side by side: a list, and its opened item. Requires the room reported by `useHasRoomBeside`. */
export function ListDetail({ list, detail }: { list: ReactNode; detail: ReactNode }) {
  return (
    <div className="group/list grid grow grid-cols-[minmax(0,11fr)_minmax(0,10fr)]">
      <div className="flex min-w-0 flex-col">
        <Activity value={undefined}>{list}</Activity>
      </div>
      {/* The page scrolls the list. A longer detail has its own scrolling. */}
      <div className="sticky top-0 max-h-dvh self-start overflow-y-auto py-10 pr-8 pl-2">
        <ScreenFrame value={Detail}>{detail}</ScreenFrame>
      </div>
    </div>
  );
}
