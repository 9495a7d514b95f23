import { m } from '@athos/messages/messages';
import { Button } from '../primitives/button.tsx';
import { CopyButton } from '../primitives/copy-button.tsx';
import { Notice } from '../primitives/notice.tsx';
import { saveText } from '../primitives/save-text.ts';
import Download from 'lucide-react/icons/download';

/** The recovery codes, which are shown only once. */
export function RecoveryCodes(props: { codes: readonly string[]; onDone: () => void }) {
  const { codes, onDone } = props;
  const text = codes.join('\n');

  return (
    <div className="flex flex-col gap-5">
      <Notice kind="info">{m.common_recovery_lead()}</Notice>
      <ol
        aria-label={m.common_recovery_title()}
        className="rounded-small bg-sunken font-code text-body grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-x-4 gap-y-2 p-4"
      >
        {codes.map((code) => (
          <li key={code} className="tabular wrap-anywhere">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} isCompact />
        <Button
          variant="quiet"
          isCompact
          icon={<Download size={18} aria-hidden />}
          onClick={() =>
            void saveText(`${text}\n`, { name: m.common_recovery_file(), type: 'text/plain' })
          }
        >
          {m.common_recovery_download()}
        </Button>
      </div>
      <Button isWide onClick={onDone}>
        {m.common_recovery_done()}
      </Button>
    </div>
  );
}
