import ImageUp from 'lucide-react/icons/image-up';
import { useId, useRef, useState } from 'react';
import type { DragEvent } from 'react';
import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { classNames } from '../primitives/class-names.ts';
import { loadDecoder } from './qr-scanner-decoder.ts';
import { readImageFile } from './qr-scanner-image.ts';

interface ImagePanelProps {
  onText: (text: string) => void;
}

/** The file chooser and drop area behind 'Scan an Image File' (D-137). */
export function ImagePanel({ onText }: ImagePanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  return (
    <div className="flex flex-col gap-3">
      <Button
        variant="plain"
        isWide
        isCompact
        icon={<ImageUp size={18} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen((wasOpen) => !wasOpen)}
      >
        {m.scanner_widget_image_open()}
      </Button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && <DropArea onText={onText} />}
      </div>
    </div>
  );
}

type ImageState =
  | { readonly kind: 'empty' | 'loading' | 'read' }
  | { readonly kind: 'failed'; readonly reason: string };

/** Reads the text in an image file, or returns why there is none. */
async function scanFile(file: File): Promise<{ text: string } | { reason: string }> {
  const read = await readImageFile(file);
  if (read.kind !== 'image') {
    return {
      reason:
        read.kind === 'too_large'
          ? m.scanner_widget_image_too_large()
          : m.scanner_widget_image_unreadable(),
    };
  }
  try {
    const decode = await loadDecoder();
    for (const picture of read.pictures) {
      const text = await decode(picture);
      if (text !== undefined) return { text };
    }
    return { reason: m.scanner_widget_image_no_code() };
  } catch {
    return { reason: m.scanner_widget_not_initialized() };
  }
}

function DropArea({ onText }: ImagePanelProps) {
  const [state, setState] = useState<ImageState>({ kind: 'empty' });
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef<File>(undefined);

  const scan = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    latest.current = file;
    setState({ kind: 'loading' });
    const result = await scanFile(file);
    // Another file was chosen in the meantime.
    if (latest.current !== file) return;
    if ('reason' in result) {
      setState({ kind: 'failed', reason: result.reason });
      return;
    }
    setState({ kind: 'read' });
    onText(result.text);
  };
  const handleDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void scan(event.dataTransfer.files[0]);
  };

  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={classNames(
        'rounded-medium flex flex-col items-center gap-3 border-2 border-dashed p-5 text-center transition-colors duration-150 ease-out',
        isOver ? 'border-accent bg-sunken' : 'border-line-strong',
      )}
    >
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        data-testid="scanner-file"
        onChange={(event) => {
          void scan(event.target.files?.[0]);
          // Lets the user choose the same file again.
          event.target.value = '';
        }}
      />
      <Button
        variant="quiet"
        isCompact
        isPending={state.kind === 'loading'}
        onClick={() => input.current?.click()}
      >
        {state.kind === 'empty'
          ? m.scanner_widget_image_choose()
          : m.scanner_widget_image_another()}
      </Button>
      <p className="text-caption text-ink-quiet">{m.scanner_widget_image_drop()}</p>
      <p role="status" className="text-body empty:hidden">
        {state.kind === 'loading' && m.scanner_widget_image_loading()}
        {state.kind === 'failed' && state.reason}
      </p>
    </div>
  );
}
