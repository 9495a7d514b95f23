/** Sends files to the console's API. Uses XMLHttpRequest, because fetch does not report upload progress. */
import { log } from '@athos/app-core/log';
import { queryClient } from '@athos/app-core/query-client';
import { API_PREFIX } from '@athos/contract/call';
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import { consoleRoutes } from '@athos/contract/gen/console-routes';
import type { Problem } from '@athos/contract/problem';
import { addressOf } from '@athos/client/client';
import { noteRefusal, pageHeaders, type AdminAnswer } from './call.ts';
import { fromWire } from './naming.ts';

/** The calls that accept a file. */
type UploadName = 'uploadPicture' | 'uploadOfferImport';

export type UploadOutcome<Name extends UploadName> =
  | { readonly kind: 'done'; readonly answer: AdminAnswer<Name> }
  | { readonly kind: 'refused'; readonly text: string }
  /** There was no response. The same file with the same key can safely be sent again. */
  | { readonly kind: 'unknown' };

interface UploadOptions {
  readonly key: string;
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Above the server's 9 s for a whole request. */
const TIMEOUT_MS = 30_000;

function outcomeOf<Name extends UploadName>({
  status,
  response,
}: XMLHttpRequest): UploadOutcome<Name> {
  if (status === 200) {
    const answer = fromWire(response as ConsoleAnswerOf<Name>) as AdminAnswer<Name>;
    return { kind: 'done', answer };
  }
  const problem = response as Partial<Problem> | null;
  noteRefusal(status, problem?.code);
  if (status >= 500 || problem?.title === undefined) return { kind: 'unknown' };
  const { title, detail = title } = problem;
  return { kind: 'refused', text: title === detail ? title : `${title} ${detail}` };
}

export async function upload<Name extends UploadName>(
  name: Name,
  file: File,
  { key, onProgress }: UploadOptions,
): Promise<UploadOutcome<Name>> {
  const { method, path } = addressOf(consoleRoutes[name], {});
  const outcome = await new Promise<UploadOutcome<Name>>((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, API_PREFIX + path);
    request.responseType = 'json';
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('content-type', file.type);
    request.setRequestHeader('idempotency-key', key);
    for (const [header, value] of Object.entries(pageHeaders())) {
      request.setRequestHeader(header, value);
    }
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => resolve(outcomeOf(request));
    request.onerror = () => resolve({ kind: 'unknown' });
    request.ontimeout = () => resolve({ kind: 'unknown' });
    request.send(file);
  });
  if (outcome.kind !== 'done') log('upload_failed', { name, kind: outcome.kind });
  void queryClient.invalidateQueries();
  return outcome;
}
