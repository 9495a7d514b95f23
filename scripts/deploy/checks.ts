/** The parts of `deploy/`, the tool that checks each, and modifications that the tool must detect. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../start/paths.ts';
import { manifestFaults } from './kubernetes-schemas.ts';
import type { Answer, Tools } from './tools.ts';

/** A description of what is wrong, or `undefined`. */
type Judge = (tools: Tools) => string | undefined | Promise<string | undefined>;

interface Break {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

interface Check {
  readonly what: string;
  readonly judge: Judge;
  /** Each modification alone must be refused. */
  readonly breaks: readonly Break[];
}

const refusal = ({ isDone, output, complaints }: Answer): string | undefined =>
  isDone ? undefined : complaints.trim() || output.trim() || 'it was refused without a word';

const composeFile: Judge = (tools) => {
  const file = join(tools.folder, 'compose/trial.env');
  const settings = readFileSync(file, 'utf8').replaceAll(/=$/gm, '=filled');
  writeFileSync(join(tools.folder, 'compose/.env'), settings);
  return refusal(tools.run(['docker-compose', '-f', 'compose/compose.yaml', 'config', '-q']));
};

/** Programs that the units run and that the tools' file system lacks. */
const PROGRAMS_ELSEWHERE = /\/usr\/bin\/(?:node|pgbackrest|psql)/g;

/** The tool prints unknown keys and still exits with 0, so any output is a fault. */
const units: Judge = (tools) => {
  const names = globSync(join(tools.folder, 'systemd/*.{service,timer}')).map((file) =>
    basename(file),
  );
  const instances = names.map((name) => name.replace('@.', '@1.'));
  for (const [at, name] of names.entries()) {
    const text = readFileSync(join(tools.folder, 'systemd', name), 'utf8');
    const unit = text.replaceAll(PROGRAMS_ELSEWHERE, '/bin/true');
    // A timer names an instance of a template, which the tool has to find.
    writeFileSync(join(tools.folder, name), unit);
    writeFileSync(join(tools.folder, instances[at] ?? name), unit.replaceAll('%i', '1'));
  }
  const complaints = instances.map((instance) => {
    const answer = tools.run(['systemd-analyze', 'verify', '--man=no', `./${instance}`]);
    return refusal(answer) ?? `${answer.output}${answer.complaints}`;
  });
  if (names.length === 0) return 'there is no unit';
  return complaints.join('').trim() || undefined;
};

const manifestsOf =
  (overlay: string): Judge =>
  async (tools) => {
    const answer = tools.run(['kustomize', 'build', `kubernetes/${overlay}`]);
    const faults = await manifestFaults(answer.output);
    return refusal(answer) ?? (faults.join('\n') || undefined);
  };

const OWN_OVERLAY = `
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [../cloudnativepg]
components: [../restored]
`;

/** In an operator's overlay, the restored cluster replaces the damaged one everywhere except as the source of the restore. */
const restoredDatabase: Judge = async (tools) => {
  const own = join(tools.folder, 'kubernetes/own');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'kustomization.yaml'), OWN_OVERLAY);
  const fault = await manifestsOf('own')(tools);
  if (fault !== undefined) return fault;
  const { output } = tools.run(['kustomize', 'build', 'kubernetes/own']);
  const lines = output.split('\n').filter((line) => /\bathos-database(?!s)/.test(line));
  const isSourceAlone = lines.map((line) => line.trim()).join() === 'serverName: athos-database';
  return isSourceAlone ? undefined : `the damaged cluster is still named: ${lines.join()}`;
};

const API_ADDRESSES = { API_1: '10.0.2.1:8080', API_2: '10.0.2.2:8080' };
const DATABASE_ADDRESSES = {
  DATABASE_1: '10.0.3.1',
  DATABASE_2: '10.0.3.2',
  DATABASE_3: '10.0.3.3',
};

const edge: Judge = (tools) => {
  const tls = join(root, 'apps/api/test/tls');
  const certificate = ['server.pem', 'server.key'].map((name) => readFileSync(join(tls, name)));
  writeFileSync(join(tools.folder, 'wallet.pem'), Buffer.concat(certificate));
  const file = join(tools.folder, 'haproxy/edge.cfg');
  const text = readFileSync(file, 'utf8').replace('/etc/haproxy/wallet.pem', 'wallet.pem');
  writeFileSync(join(tools.folder, 'edge.cfg'), text);
  return refusal(tools.run(['haproxy', '-c', '-f', 'edge.cfg'], API_ADDRESSES));
};

const wayToDatabase: Judge = (tools) => {
  const authority = readFileSync(join(root, 'apps/api/test/tls/authority.pem'));
  writeFileSync(join(tools.folder, 'authority.pem'), authority);
  const settings = { ...DATABASE_ADDRESSES, DATABASE_CHECK_CA: 'authority.pem' };
  return refusal(tools.run(['haproxy', '-c', '-f', 'haproxy/database.cfg'], settings));
};

/** The authority is made anew each time, with the node's certificate that it vouches for. */
const certificates: Judge = (tools) => {
  rmSync(join(tools.folder, 'ca.key'), { force: true });
  const words = ['db1', '10.0.3.1', 'database.example.com'];
  return refusal(tools.run(['sh', 'database/certificates.sh', ...words]));
};

const WORKER_REPLICAS = { file: 'kubernetes/base/worker.yaml', from: 'replicas: 2' };
const WORKER_PROBE = {
  file: 'kubernetes/base/worker.yaml',
  from: 'httpGet: { path: /readyz, port: metrics }',
};
const API_SELECTOR = 'selector: { matchLabels: { app.kubernetes.io/name: athos-api } }\n  template';

export const CHECKS: readonly Check[] = [
  {
    what: 'the compose file, judged by docker-compose',
    judge: composeFile,
    breaks: [
      { file: 'compose/compose.yaml', from: 'restart: unless', to: 'restarts: unless' },
      { file: 'compose/trial.env', from: 'SIGNING_KEYS=', to: 'SIGNING_KEY=' },
    ],
  },
  {
    what: 'the units of systemd, judged by systemd-analyze',
    judge: units,
    breaks: [
      { file: 'systemd/athos-api@.service', from: 'ProtectHome', to: 'ProtectHomes' },
      { file: 'systemd/athos-worker@.service', from: 'Restart=always', to: 'Restart=ever' },
      { file: 'systemd/athos-migrate.service', from: 'Type=oneshot', to: 'Type=once' },
      { file: 'systemd/athos-backup@.service', from: 'ExecCondition', to: 'ExecConditions' },
      { file: 'systemd/athos-backup@diff.timer', from: 'Mon..Sat', to: 'Mon..Sot' },
      { file: 'systemd/athos-drill.service', from: 'ExecStartPost', to: 'ExecStartsPost' },
      { file: 'systemd/athos-drill-to@.service', from: 'Conflicts=', to: 'Conflict=' },
      { file: 'systemd/athos-console.service', from: 'ProtectHome', to: 'ProtectHomes' },
      { file: 'systemd/athos-drill.timer', from: 'OnCalendar', to: 'OnCalendars' },
    ],
  },
  ...['cloudnativepg', 'outside-database'].map((overlay) => ({
    what: `the manifests of ${overlay}, judged by Kustomize and Kubernetes' schemas`,
    judge: manifestsOf(overlay),
    breaks: [
      { file: `kubernetes/${overlay}/kustomization.yaml`, from: 'network.yaml', to: 'net.yaml' },
      { ...WORKER_REPLICAS, to: 'replicas: two' },
      { ...WORKER_PROBE, to: 'httpGet: { path: /readyz }' },
      { file: 'kubernetes/base/api.yaml', from: API_SELECTOR, to: 'template' },
      { file: 'kubernetes/base/migrate.yaml', from: 'kind: Job', to: 'kind: Jobs' },
    ],
  })),
  {
    what: 'the restored database of cloudnativepg, judged by Kustomize',
    judge: restoredDatabase,
    breaks: [
      { file: 'kubernetes/restored/kustomization.yaml', from: 'kind: Component', to: 'kind: C' },
      { file: 'kubernetes/restored/kustomization.yaml', from: 'Deployment|Job', to: 'Deployment' },
      { file: 'kubernetes/restored/kustomization.yaml', from: 'athos-daily', to: 'athos-weekly' },
    ],
  },
  {
    what: 'the edge, judged by HAProxy',
    judge: edge,
    breaks: [
      { file: 'haproxy/edge.cfg', from: 'balance hash', to: 'balance hush' },
      { file: 'haproxy/edge.cfg', from: 'cache-use polls', to: 'cache-use rolls' },
    ],
  },
  {
    what: "the certificates of the database's nodes, judged by OpenSSL as strictly as by Patroni",
    judge: certificates,
    breaks: [
      {
        file: 'database/certificates.sh',
        from: 'keyUsage=critical,keyCertSign',
        to: 'nsComment=a',
      },
      { file: 'database/certificates.sh', from: 'CA:FALSE', to: 'CA:TRUE' },
    ],
  },
  {
    what: 'the way to the database, judged by HAProxy',
    judge: wayToDatabase,
    breaks: [
      { file: 'haproxy/database.cfg', from: 'option httpchk', to: 'option httpcheck' },
      { file: 'haproxy/database.cfg', from: 'verify required', to: 'verify requires' },
      { file: 'haproxy/database.cfg', from: 'ca-file "$', to: 'ca-file "/nowhere$' },
    ],
  },
];

/** One sentence for each part that is refused, and for each broken copy that is not. */
export async function faultsOf({ what, judge, breaks }: Check, tools: Tools): Promise<string[]> {
  const fault = await judge(tools);
  const faults = fault === undefined ? [] : [`${what}: ${fault}`];
  for (const broken of breaks) {
    const file = join(tools.folder, broken.file);
    const text = readFileSync(file, 'utf8');
    const copy = text.replace(broken.from, broken.to);
    writeFileSync(file, copy);
    if (copy === text || (await judge(tools)) === undefined) {
      faults.push(`${what}: takes a broken copy (${broken.file}: ${broken.to})`);
    }
    writeFileSync(file, text);
  }
  return faults;
}
