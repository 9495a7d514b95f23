/** Uploads in tests, which need a fake XMLHttpRequest, because only that reports upload progress. */
import { vi } from 'vitest';

/** Replaces XMLHttpRequest. The test answers each request. */
export class FakeRequest {
  static readonly all: FakeRequest[] = [];
  readonly headers: Record<string, string> = {};
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  status = 0;
  response: unknown = null;
  file: unknown;
  onload?: () => void;
  onerror?: () => void;
  open(): void {
    FakeRequest.all.push(this);
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  send(file: unknown): void {
    this.file = file;
  }
  answer(status: number, response: unknown): void {
    Object.assign(this, { status, response });
    this.onload?.();
  }
}

/** The upload with this number; throws if there were fewer. */
export const sent = (index: number): FakeRequest => {
  const request = FakeRequest.all[index];
  if (request === undefined) throw new Error(`no upload ${index}`);
  return request;
};

/** Replaces the browser's own until the end of the test. */
export function standInForRequests(): void {
  FakeRequest.all.length = 0;
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
}
