/** Replaces `platform/database/batcher.ts` in the control: each request is its own batch. */
import { Batcher as Gathering } from '../../apps/api/src/platform/database/batcher.ts';

type Options<Request, Answer> = ConstructorParameters<typeof Gathering<Request, Answer>>[0];

export class Batcher<Request, Answer> extends Gathering<Request, Answer> {
  constructor(options: Options<Request, Answer>) {
    super({ ...options, batchSizeMax: 1 });
  }
}
