/** The files of the evidence, one for each of the provider's fields. */
import {
  EVIDENCE_FILE_BYTES_MAX,
  EVIDENCE_FILE_FIELDS,
  EVIDENCE_FILE_TYPES,
  type EvidenceFileField,
} from '@athos/contract/console/evidence';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import FileText from 'lucide-react/icons/file-text';
import ImageIcon from 'lucide-react/icons/image';
import { useRef, useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Section } from '../../kit/detail.tsx';
import type { Dispute } from './dispute-screen.tsx';
import { FILE_TITLES } from './dispute-words.ts';
import { FilePreview } from './file-preview.tsx';

type EvidenceFile = Dispute['files'][number];

interface EvidenceFilesProps {
  dispute: Dispute;
  canWrite: boolean;
  /** Adding a file also changes the dispute's version. */
  onAdded: (version: number) => void;
}

/** The fault of a file, found before a megabyte of it is sent. */
function faultOf({ name, type, size }: File): string | undefined {
  if (!EVIDENCE_FILE_TYPES.some((taken) => taken === type))
    return m.disputes_file_wrong_type({ name });
  return size > EVIDENCE_FILE_BYTES_MAX ? m.disputes_file_too_large({ name }) : undefined;
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Converted in parts, because the characters of a megabyte are too many arguments for one call.
  const parts = Array.from({ length: Math.ceil(bytes.length / 0x8000) }, (_, index) =>
    String.fromCharCode(...bytes.subarray(index * 0x8000, (index + 1) * 0x8000)),
  );
  return btoa(parts.join(''));
}

export function EvidenceFiles({ dispute, canWrite, onAdded }: EvidenceFilesProps) {
  const { id, files } = dispute;
  const { run, isPending } = useAdminAction('addEvidenceFile');
  const [failure, setFailure] = useState<string | ActionOutcome<'addEvidenceFile'>>();
  const [opened, setOpened] = useState<EvidenceFile>();

  async function handleAdd(field: EvidenceFileField, file: File): Promise<void> {
    const fault = faultOf(file);
    setFailure(fault);
    if (fault !== undefined) return;
    const body = { field, name: file.name, base64: await base64Of(file) };
    const outcome = await run({ params: { id }, body });
    if (outcome.kind !== 'done') return setFailure(outcome);
    onAdded(outcome.answer.version);
    toasts.show('success', m.disputes_file_added(), 4000);
  }

  const fields = canWrite
    ? EVIDENCE_FILE_FIELDS
    : EVIDENCE_FILE_FIELDS.filter((field) => files.some((file) => file.field === field));
  if (fields.length === 0) return null;
  return (
    <Section title={m.disputes_files()}>
      {canWrite && <p className="text-caption text-ink-quiet">{m.disputes_files_hint()}</p>}
      {typeof failure === 'string' && <Notice kind="danger">{failure}</Notice>}
      {typeof failure === 'object' && <OutcomeNotice outcome={failure} />}
      <ul className="divide-line flex flex-col divide-y">
        {fields.map((field) => (
          <FileRow
            key={field}
            field={field}
            file={files.find((file) => file.field === field)}
            onOpen={setOpened}
            onAdd={canWrite ? (file) => void handleAdd(field, file) : undefined}
            isPending={isPending}
          />
        ))}
      </ul>
      {opened !== undefined && (
        <FilePreview disputeId={id} file={opened} onClose={() => setOpened(undefined)} />
      )}
    </Section>
  );
}

interface FileRowProps {
  field: EvidenceFileField;
  file: EvidenceFile | undefined;
  onOpen: (file: EvidenceFile) => void;
  onAdd: ((file: File) => void) | undefined;
  isPending: boolean;
}

function FileRow({ field, file, onOpen, onAdd, isPending }: FileRowProps) {
  const title = FILE_TITLES[field]();
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <span className="text-dense w-48 font-semibold">{title}</span>
      <span className="text-dense flex min-w-0 flex-[1_1_10rem] flex-wrap items-center gap-x-2">
        {file === undefined ? (
          <span className="text-ink-quiet">{m.disputes_file_none()}</span>
        ) : (
          <FileName file={file} onOpen={onOpen} />
        )}
      </span>
      {onAdd !== undefined && (
        <FilePick title={title} hasFile={file !== undefined} onPick={onAdd} isPending={isPending} />
      )}
    </li>
  );
}

function FileName({ file, onOpen }: { file: EvidenceFile; onOpen: (file: EvidenceFile) => void }) {
  const Icon = file.type.startsWith('image/') ? ImageIcon : FileText;
  return (
    <>
      <Button
        variant="plain"
        isDense
        icon={<Icon size={16} aria-hidden />}
        aria-label={m.disputes_file_open({ name: file.name })}
        onClick={() => onOpen(file)}
      >
        {file.name}
      </Button>
      {file.isSent && <Badge tone="success">{m.disputes_file_sent()}</Badge>}
    </>
  );
}

interface FilePickProps {
  title: string;
  hasFile: boolean;
  onPick: (file: File) => void;
  isPending: boolean;
}

function FilePick({ title, hasFile, onPick, isPending }: FilePickProps) {
  const input = useRef<HTMLInputElement>(null);
  const label = hasFile
    ? m.disputes_file_replace_name({ field: title })
    : m.disputes_file_add_name({ field: title });
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={EVIDENCE_FILE_TYPES.join(',')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // Allows picking the same file again after a failure.
          currentTarget.value = '';
          if (file !== undefined) onPick(file);
        }}
      />
      <Button
        variant="quiet"
        isDense
        isDisabled={isPending}
        aria-label={label}
        onClick={() => input.current?.click()}
      >
        {hasFile ? m.disputes_file_replace() : m.disputes_file_add()}
      </Button>
    </>
  );
}
