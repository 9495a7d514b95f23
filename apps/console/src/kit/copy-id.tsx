import { m } from '@athos/messages/messages';
import { copyText } from '@athos/ui/primitives/copy-button';
import Copy from 'lucide-react/icons/copy';
import Link2 from 'lucide-react/icons/link-2';
import { DenseIconButton } from './icon-button.tsx';

/** An id, key or provider's id, with a button that copies it. `isShort` shows only its end. */
export function CopyId({ id, isShort = false }: { id: string; isShort?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <code className="font-code text-caption min-w-0 break-all" title={isShort ? id : undefined}>
        {isShort ? shortId(id) : id}
      </code>
      {/* The negative margin keeps a row with an id no higher than a line of text. */}
      <span className="-my-1 inline-flex">
        <DenseIconButton
          label={m.console_copy_id({ id: shortId(id) })}
          icon={<Copy size={14} aria-hidden />}
          onClick={() => void copyText(id)}
        />
      </span>
    </span>
  );
}

/** Copies the address of this object. */
export function CopyLink() {
  return (
    <DenseIconButton
      label={m.console_copy_link()}
      icon={<Link2 size={16} aria-hidden />}
      onClick={() => void copyText(location.href)}
    />
  );
}

const SHORT_LENGTH = 8;

/** The end of a long id. A version 7 uuid begins with its time, so its last digits identify it. */
export const shortId = (id: string): string =>
  id.length <= SHORT_LENGTH + 4 ? id : `…${id.slice(-SHORT_LENGTH)}`;
