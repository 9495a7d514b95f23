/**
 * Saving files in the packaged app, whose web view ignores downloads. The file is written into the app's cache, and the user chooses in the
 * phone's share sheet where it goes.
 */
import type { Directory } from '@capacitor/filesystem';
import type { NativeLog } from './native-log.ts';
import { filesystem, share } from './plugins.ts';

const CACHE = 'CACHE' as Directory;

/** Each file has a folder of its own in here, because the app that receives it may read it while one of the same name is saved. */
const FOLDER = 'saved';

/**
 * How long a file is kept after its sheet is gone. The receiving app may still be reading: Android does not say when it is done, and calls
 * the sheet closed if that app shows no screen.
 */
const KEPT_MS = 60_000;

/** The rejection on both platforms when the user closes the sheet. It has no code. */
const CLOSED = 'Share canceled';

/** The bridge takes no bytes. */
const base64Of = (content: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = reader.result as string;
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () =>
      reject(new Error('the content cannot be read', { cause: reader.error })),
    );
    reader.readAsDataURL(content);
  });

async function offer(title: string, uri: string): Promise<void> {
  try {
    await share.share({ title, files: [uri] });
  } catch (error) {
    if (!(error instanceof Error) || error.message !== CLOSED) throw error;
  }
}

const removeFolder = (path: string): Promise<void> =>
  filesystem.rmdir({ path, directory: CACHE, recursive: true });

let savedCount = 0;
/** Files whose sheet is open, by name. A second press before it appears must not ask again. */
const offered = new Set<string>();

/** Writes the file and opens the share sheet; resolves when that is gone. A sheet that the user closes is no failure. */
export async function saveByShareSheet(
  log: NativeLog,
  { content, name }: { content: Blob; name: string },
): Promise<void> {
  if (offered.has(name)) return;
  offered.add(name);
  savedCount += 1;
  const path = `${FOLDER}/${savedCount}`;
  try {
    const file = { path: `${path}/${name}`, directory: CACHE, data: await base64Of(content) };
    const { uri } = await filesystem.writeFile({ ...file, recursive: true });
    await offer(name, uri);
  } catch (error) {
    log('save_failed', { error: String(error) });
    throw error;
  } finally {
    offered.delete(name);
    setTimeout(() => {
      removeFolder(path).catch((error: unknown) =>
        log('saved_file_not_removed', { error: String(error) }),
      );
    }, KEPT_MS);
  }
}

/** Removes what the app could not remove before it ended. For its start. */
export async function removeSavedFiles(): Promise<void> {
  // Rejects if there is no such folder, which is the rule.
  await removeFolder(FOLDER).catch(() => undefined);
}
