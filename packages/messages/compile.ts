/**
 * Compiles the catalogue into src/gen: one small module per text, so that a bundle carries only the texts it uses.
 * It does nothing when neither texts, settings nor this file changed since the last run. It touches no network: the
 * format plugin is named by its local path in project.inlang/settings.json.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const root = import.meta.dirname;
const outputFolder = join(root, 'src/gen');
const stampFile = join(outputFolder, 'stamp');
const settingsFile = join(root, 'project.inlang/settings.json');

const { values: options } = parseArgs({ options: { force: { type: 'boolean', default: false } } });
const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as {
  baseLocale: string;
  locales: string[];
};

const messageFiles = globSync('messages/*/*.json', { cwd: root }).sort();

function inputHash(): string {
  const hash = createHash('sha256');
  for (const file of ['compile.ts', 'project.inlang/settings.json', ...messageFiles]) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Names of the `{parameters}` of a text, also of a text with variants (plural and the like). */
function parameterNames(text: unknown): string[] {
  if (typeof text === 'string') {
    return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  }
  const declared = [...JSON.stringify(text).matchAll(/"input (\w+)"/g)];
  return declared.map((match) => match[1] ?? '');
}

/**
 * Declares every text as a function of its parameters. Stricter than the compiler's own declarations (which take
 * any value) and 1.5 s faster, as they need a run of the TypeScript compiler.
 */
function declarations(): string {
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const file of messageFiles.filter((name) => name.endsWith(`/${settings.baseLocale}.json`))) {
    const area = file.split('/').at(-2) ?? '';
    const texts = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;
    for (const [key, text] of Object.entries(texts)) {
      if (key === '$schema') continue;
      if (!key.startsWith(`${area}_`))
        throw new Error(`${file}: "${key}" must begin with ${area}_`);
      if (seen.has(key)) throw new Error(`${file}: "${key}" exists twice`);
      seen.add(key);
      const names = [...new Set(parameterNames(text))];
      const inputs = names.map((name) => `${name}: string | number`).join('; ');
      const parameters = names.length > 0 ? `inputs: { ${inputs} }` : '';
      lines.push(`/** ${JSON.stringify(text).replaceAll('*/', '* /')} */`);
      lines.push(`export declare const ${key}: (${parameters}) => string;`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Removes the choice of language from every text: the function of the only language becomes the text. There is nothing to choose, but each
 * text would add a second function, and all of them the compiler's runtime (1.3 kB of gzip), to a bundle.
 */
function dropLanguageChoice(language: string): void {
  for (const name of globSync('messages/*.js', { cwd: outputFolder })) {
    if (name.endsWith('_index.js')) continue;
    const file = join(outputFolder, name);
    const key = basename(name, '.js');
    const ofLanguage = `\nconst ${language}_${key} = `;
    const [code = '', choice] = readFileSync(file, 'utf8').split('\n/**\n* | ');
    if (!code.includes(ofLanguage) || !choice?.includes(`return ${language}_${key}(inputs)`))
      throw new Error(`${name}: the compiler writes another code`);
    const text = code.replace(ofLanguage, `\nexport const ${key} = `);
    writeFileSync(
      file,
      text.replace("import { getLocale, experimentalStaticLocale } from '../runtime.js';\n", ''),
    );
  }
}

const stamp = inputHash();
const isFresh = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
if (!isFresh || options.force) {
  const declared = declarations();
  const { compile } = await import('@inlang/paraglide-js');
  await compile({
    project: join(root, 'project.inlang'),
    outdir: outputFolder,
    strategy: ['globalVariable', 'baseLocale'],
    emitReadme: false,
    emitGitIgnore: false,
    emitPrettierIgnore: false,
  });
  if (settings.locales.length === 1) dropLanguageChoice(settings.baseLocale);
  writeFileSync(join(outputFolder, 'messages/_index.d.ts'), declared);
  writeFileSync(
    join(outputFolder, 'messages.d.ts'),
    "export * from './messages/_index.js';\nexport * as m from './messages/_index.js';\n",
  );
  writeFileSync(stampFile, stamp);
}
// The compiler's project store leaves a 30 s timer behind that would keep this process waiting.
process.exit(0);
