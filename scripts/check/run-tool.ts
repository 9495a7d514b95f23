import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../start/paths.ts';

export interface ToolResult {
  readonly isPassed: boolean;
  readonly output: string;
  readonly seconds: number;
}

export interface ToolOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Streams the output to the terminal instead of collecting it. */
  readonly isLive?: boolean;
}

/** Runs a tool from node_modules and waits for it. A failure is a result, not an exception. */
export async function runTool(
  name: string,
  words: readonly string[],
  options: ToolOptions = {},
): Promise<ToolResult> {
  const startedAt = performance.now();
  const tool = realpathSync(join(root, 'node_modules/.bin', name));
  const child = spawn(process.execPath, [tool, ...words], {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.isLive ? 'inherit' : 'pipe', options.isLive ? 'inherit' : 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return {
    isPassed: code === 0,
    output: output.trim(),
    seconds: (performance.now() - startedAt) / 1000,
  };
}
