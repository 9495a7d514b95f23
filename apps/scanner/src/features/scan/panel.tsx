import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import ScanLine from 'lucide-react/icons/scan-line';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

interface PanelProps {
  children: ReactNode;
  /** The one thing to do next, where the thumb is (on a phone held sideways: at the side). It stays in sight however long the list. */
  action: ReactNode;
}

/** What stands in the camera's place: content, and the bar with what to do. */
export function Panel({ children, action }: PanelProps) {
  return (
    <div className="landscape:max-rail:flex-row landscape:max-rail:gap-4 flex min-w-0 grow flex-col">
      <div className="flex min-w-0 grow flex-col gap-4 pb-4">{children}</div>
      <div className="bg-ground border-line landscape:max-rail:top-3 landscape:max-rail:bottom-auto landscape:max-rail:mx-0 landscape:max-rail:w-56 landscape:max-rail:shrink-0 landscape:max-rail:self-start landscape:max-rail:border-0 landscape:max-rail:p-0 sticky bottom-0 z-10 -mx-4 flex flex-col gap-2 border-t px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] [&_button]:min-h-14 [&_button]:text-lead">
        {action}
      </div>
    </div>
  );
}

/** Focuses an element when it appears: what was focused before is gone with the panel before it. */
export function useFocusAtFirst<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}

/** One tap, or Enter, to the next guest. */
export function NextButton({ onNext }: { onNext: () => void }) {
  const button = useFocusAtFirst<HTMLButtonElement>();
  return (
    <Button ref={button} isWide icon={<ScanLine size={22} aria-hidden />} onClick={onNext}>
      {m.scanner_app_next()}
    </Button>
  );
}
