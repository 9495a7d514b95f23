/**
 * The settings, read from the environment once and nowhere else. Each topic declares its settings. All faults are listed
 * together, so that an operator can fix them all before the next start.
 */
import { anchors } from './anchors.ts';
import { cardProvider } from './card-provider.ts';
import { consoleSettings, operatorConsole } from './console.ts';
import { exportFiles } from './exports.ts';
import { keys } from './keys.ts';
import { limits } from './limits.ts';
import { mail } from './mail.ts';
import { nativeApps } from './native-apps.ts';
import { pictures } from './pictures.ts';
import { pools } from './pools.ts';
import { rate } from './rate.ts';
import { rehearsal } from './rehearsal.ts';
import { seals } from './seals.ts';
import { server } from './server.ts';
import { readGiven, type Topic } from './topic.ts';
import { traces } from './traces.ts';
import { webApps } from './web-apps.ts';

/** Lists every fault of the environment, one per line, each with its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

const readTopics = (read: <T>(topic: Topic<T>) => T) => ({
  ...read(server),
  pools: read(pools),
  ...read(rehearsal),
  ...read(keys),
  ...read(mail),
  ...read(exportFiles),
  ...read(seals),
  stripe: read(cardProvider),
  ...read(rate),
  ...read(webApps),
  nativeApp: read(nativeApps),
  pictureStorage: read(pictures),
  anchorBucket: read(anchors),
  traces: read(traces),
  limits: read(limits),
  console: read(operatorConsole),
});

type Topics = ReturnType<typeof readTopics>;
export type Config = Readonly<
  Omit<Topics, 'console'> & { console: ReturnType<typeof consoleSettings> }
>;

/** Reads and checks all settings. Throws ConfigError. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { given, faults: fileFaults } = readGiven(variables);
  const faults = [...fileFaults];
  const topics = readTopics(<T>(topic: Topic<T>) => {
    const result = topic(given);
    faults.push(...result.faults);
    // Undefined only if there are faults, which throw below.
    return result.value as T;
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return { ...topics, console: consoleSettings(topics.console, topics) };
}
