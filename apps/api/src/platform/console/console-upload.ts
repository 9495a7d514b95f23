/**
 * Registers a console call that takes a file. The file is the request body, in one of the types that the call names, none of which a page
 * of another origin may send; all checks of a write come before the first byte is read. The file is received before the transaction of
 * the act begins, since reading and decoding it takes far longer than a transaction may.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ConsoleWrite } from '@athos/contract/console/console-call';
import { AppError } from '../errors.ts';
import { InProgress } from '../limits/in-progress.ts';
import { overloaded } from '../limits/gate.ts';
import { consoleEndpoint, type ConsoleDeps, type WriteInput } from './console-endpoint.ts';

type ConsoleUpload = ConsoleWrite & Required<Pick<ConsoleWrite, 'upload'>>;

interface UploadHandlers<C extends ConsoleUpload, Received> {
  /** Reads the file. The result must identify the content, because it also tells a replay from another file sent with the same key. */
  readonly receive: (bytes: Buffer) => Promise<Received>;
  readonly handle: (
    input: WriteInput<C>,
    received: Received,
  ) => Promise<Parameters<C['answer']['parse']>[0]>;
}

/**
 * Each upload holds a whole file in memory, up to 12 MB for a picture, for as long as its sender takes: up to 9 s
 * (platform/http/http-limits.ts).
 */
const RECEIVED_AT_ONCE_MAX = 4;
const receiving = new InProgress<'all'>();

/** Takes an upload slot until the request has been answered or the client has disconnected. Throws `overloaded`. */
function takePlace({ raw }: { readonly raw: NodeJS.EventEmitter }): void {
  if (!receiving.begin('all', RECEIVED_AT_ONCE_MAX)) throw overloaded();
  raw.once('close', () => receiving.end('all'));
}

export function consoleUpload<C extends ConsoleUpload, Received extends object>(
  app: FastifyInstance,
  deps: ConsoleDeps,
  call: C,
  { receive, handle }: UploadHandlers<C, Received>,
): void {
  const { types, bytesMax } = call.upload;
  const wrongType = (): AppError =>
    new AppError('unsupported_media_type', { detail: `Send a file of type ${types.join(', ')}.` });
  void app.register((scope, _options, done) => {
    const received = new WeakMap<FastifyRequest, Received>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, refuse) => refuse(wrongType()));
    scope.addContentTypeParser(
      [...types],
      { parseAs: 'buffer', bodyLimit: bytesMax },
      async (request: FastifyRequest, bytes: string | Buffer) => {
        const file = await receive(Buffer.from(bytes));
        received.set(request, file);
        return file;
      },
    );
    scope.addHook('preParsing', async (_request, reply, payload) => {
      takePlace(reply);
      return payload;
    });
    const answer = async (input: WriteInput<C>) => {
      const file = received.get(input.request);
      if (file === undefined) throw wrongType();
      return handle(input, file);
    };
    consoleEndpoint(scope, deps, call, answer as never);
    done();
  });
}
