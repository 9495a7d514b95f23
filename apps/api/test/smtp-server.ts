/** A minimal mail server that records mails and can refuse a recipient. */
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface TestSmtpServer {
  readonly url: string;
  /** Raw mails, as sent between DATA and the final dot. */
  readonly received: string[];
  /** Sets the response to the next recipient, such as `550 no such mailbox`. */
  refuseNextRecipient(answer: string): void;
  close(): Promise<void>;
}

function converse(socket: Socket, received: string[], recipientAnswer: () => string): void {
  let rest = '';
  let mail: string[] | undefined;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    if (mail !== undefined) {
      if (line !== '.') mail.push(line);
      else {
        received.push(mail.join('\r\n'));
        mail = undefined;
        say('250 taken');
      }
      return;
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'RCPT') say(recipientAnswer());
    else if (verb === 'STAR') say('502 no TLS here');
    else if (verb === 'DATA') {
      mail = [];
      say('354 go on');
    } else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else say('250 yes');
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    lines.forEach(hear);
  });
  say('220 test');
}

export async function startTestSmtpServer(): Promise<TestSmtpServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  let nextAnswer: string | undefined;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    converse(socket, received, () => {
      const answer = nextAnswer ?? '250 yes';
      nextAnswer = undefined;
      return answer;
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseNextRecipient: (answer) => {
      nextAnswer = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
