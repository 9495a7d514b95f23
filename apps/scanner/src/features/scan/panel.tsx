import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import ScanLine from 'lucide-react/icons/scan-line';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';

interface PanelProps {
  children: ReactNode;
  /**
   * The next action, within reach of the thumb (at the side in landscape). It stays visible however long the list is,
   * unless the text is so large that it would hide the list.
   */
  action: ReactNode;
}

/** Takes the camera's place: content, and a bar with the next action. */
export function Panel({ children, action }: PanelProps) {
  return (
    <div className="@container/panel landscape:max-rail:flex-row landscape:max-rail:gap-4 flex min-w-0 grow flex-col">
      <div className="flex min-w-0 grow flex-col gap-4 pb-4">{children}</div>
      <div className="bg-ground border-line landscape:max-rail:top-3 landscape:max-rail:bottom-auto landscape:max-rail:mx-0 landscape:max-rail:w-56 landscape:max-rail:shrink-0 landscape:max-rail:self-start landscape:max-rail:border-0 landscape:max-rail:p-0 sticky bottom-0 z-10 @max-[14rem]/panel:static -mx-4 flex flex-col gap-2 border-t px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] [&_button]:min-h-14 [&_button]:text-lead">
        {action}
      </div>
    </div>
  );
}

/** Focuses an element when it appears, because the focused element is gone with the previous panel. */
export function useFocusAtFirst<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}

/** Continues with the next guest on a tap or Enter. */
export function NextButton({ onNext }: { onNext: () => void }) {
  const button = useFocusAtFirst<HTMLButtonElement>();
  return (
    <Button ref={button} isWide icon={<ScanLine size={22} aria-hidden />} onClick={onNext}>
      {m.scanner_app_next()}
    </Button>
  );
}
