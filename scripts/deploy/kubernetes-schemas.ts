/** Validates manifests with Kubernetes' own schemas, from the package `kubernetes-models`. */
import { parseAllDocuments } from 'yaml';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

interface Model {
  /** @throws Error that names the faults */
  validate(): void;
}

/** Resources of operators, for which Kubernetes has no schemas. */
const WITHOUT_SCHEMA = [
  'barmancloud.cnpg.io/v1 ObjectStore',
  'postgresql.cnpg.io/v1 Cluster',
  'postgresql.cnpg.io/v1 ScheduledBackup',
];

type ModelClass = new (manifest: Manifest) => Model;

async function modelOf({ apiVersion, kind }: Manifest): Promise<ModelClass | undefined> {
  try {
    const models = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Readonly<
      Record<string, ModelClass>
    >;
    return models[kind];
  } catch {
    return undefined;
  }
}

async function faultOf(manifest: Manifest): Promise<string | undefined> {
  const name = `${manifest.apiVersion} ${manifest.kind}`;
  if (WITHOUT_SCHEMA.includes(name)) return undefined;
  const Model = await modelOf(manifest);
  if (Model === undefined) return `${name}: Kubernetes knows no such kind`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** One sentence for each manifest that Kubernetes would refuse. `text` holds all of them, as printed by Kustomize. */
export async function manifestFaults(text: string): Promise<string[]> {
  // Kubernetes reads YAML 1.1, in which 0440 is octal.
  const documents = parseAllDocuments(text, { version: '1.1' });
  if (!Array.isArray(documents)) return ['there is no manifest'];
  const faults = await Promise.all(
    documents.map((document) => faultOf(document.toJS() as Manifest)),
  );
  return faults.filter((fault) => fault !== undefined);
}
