/** The certificates with which etcd, Patroni and PostgreSQL identify themselves, made by deploy/database/certificates.sh. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Machine, World } from './machine.ts';

const SCRIPT = join(import.meta.dirname, '../../deploy/database/certificates.sh');
/** In every certificate. The programs look for it, as they reach the primary through a HAProxy on their own machine. */
export const DATABASE_SERVER_NAME = 'database.example.com';

export class Certificates {
  readonly #folder: string;

  constructor({ folder }: World) {
    this.#folder = join(folder, 'certificates');
  }

  /** The file of the authority's certificate. The first certificate makes it. */
  get authorityFile(): string {
    return this.#fileOf('ca.pem');
  }

  /** Makes the machine's certificate and copies it into a folder. Only `user` can read its key. */
  install(machine: Machine, folder: string, user: string): void {
    const { name, address } = machine;
    mkdirSync(this.#folder, { recursive: true });
    const words = [SCRIPT, name, address, DATABASE_SERVER_NAME];
    execFileSync('sh', words, { cwd: this.#folder, stdio: 'pipe' });
    machine.install(this.authorityFile, join(folder, 'ca.pem'));
    machine.install(this.#fileOf(`${name}.pem`), join(folder, 'node.pem'));
    machine.install(this.#fileOf(`${name}.key`), join(folder, 'node.key'), user);
  }

  /** Lets this process verify the nodes. */
  trust(): void {
    const authority = readFileSync(this.authorityFile, 'utf8');
    setDefaultCACertificates([...getCACertificates('default'), authority]);
  }

  #fileOf(name: string): string {
    return join(this.#folder, name);
  }
}
