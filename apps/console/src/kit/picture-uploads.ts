/** Uploads of pictures: one at a time, because the server decodes one at a time, each with its progress. */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { PICTURE_BYTES_MAX, PICTURE_TYPES } from '@athos/contract/console/picture-files';
import { m } from '@athos/messages/messages';
import { useRef, useState } from 'react';
import type { AdminAnswer } from '../api/call.ts';
import { upload } from '../api/upload.ts';

export interface PictureUpload {
  readonly key: string;
  readonly file: File;
  readonly state: 'waiting' | 'sending' | 'failed' | 'unknown';
  /** From 0 to 1. */
  readonly share: number;
  readonly failure: string | undefined;
}

type Stored = AdminAnswer<'uploadPicture'>;

export interface PictureUploads {
  /** Uploads that are not stored yet. */
  readonly uploads: readonly PictureUpload[];
  readonly add: (files: Iterable<File>) => void;
  /** Repeats an upload with an unknown outcome. */
  readonly retry: (key: string) => void;
  readonly dismiss: (key: string) => void;
}

/** The fault of a file, found before megabytes of it are sent. The server checks its content. */
function faultOf({ type, size }: File): string | undefined {
  if (!PICTURE_TYPES.some((taken) => taken === type)) return m.pictures_wrong_type();
  return size > PICTURE_BYTES_MAX ? m.pictures_too_large() : undefined;
}

export function usePictureUploads(onStored: (picture: Stored) => void): PictureUploads {
  const [uploads, setUploads] = useState<readonly PictureUpload[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());

  const change = (key: string, changed: Partial<PictureUpload>): void =>
    setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  const dismiss = (key: string): void => setUploads((all) => all.filter((one) => one.key !== key));

  async function send({ key, file }: Pick<PictureUpload, 'key' | 'file'>): Promise<void> {
    change(key, { state: 'sending', share: 0, failure: undefined });
    const onProgress = (share: number): void => change(key, { share });
    const outcome = await upload('uploadPicture', file, { key, onProgress });
    if (outcome.kind === 'done') {
      dismiss(key);
      onStored(outcome.answer);
    } else if (outcome.kind === 'refused') {
      change(key, { state: 'failed', failure: outcome.text });
    } else change(key, { state: 'unknown', failure: m.pictures_not_sent() });
  }

  function enqueue(one: Pick<PictureUpload, 'key' | 'file'>): void {
    last.current = last.current.then(() => send(one));
  }

  function add(files: Iterable<File>): void {
    const added = Array.from(files, (file): PictureUpload => {
      const failure = faultOf(file);
      const state = failure === undefined ? 'waiting' : 'failed';
      return { key: newIdempotencyKey(), file, state, share: 0, failure };
    });
    setUploads((all) => [...all, ...added]);
    for (const one of added) if (one.state === 'waiting') enqueue(one);
  }

  function retry(key: string): void {
    const one = uploads.find((candidate) => candidate.key === key);
    if (one === undefined) return;
    change(key, { state: 'waiting' });
    enqueue(one);
  }

  return { uploads, add, retry, dismiss };
}
