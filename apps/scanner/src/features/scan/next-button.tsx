import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import ScanLine from 'lucide-react/icons/scan-line';
import { useFocusAtFirst } from './use-focus-at-first.ts';

/** One tap, or Enter, to the next guest. */
export function NextButton({ onNext }: { onNext: () => void }) {
  const button = useFocusAtFirst<HTMLButtonElement>();
  return (
    <Button ref={button} isWide icon={<ScanLine size={22} aria-hidden />} onClick={onNext}>
      {m.scanner_app_next()}
    </Button>
  );
}
