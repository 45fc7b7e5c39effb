// The program that is tested: started on a file, with its address and its end.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const binary = process.env.INKLING_PROGRAM ?? fail('INKLING_PROGRAM does not name the program to test');

function fail(words: string): never {
  throw new Error(words);
}

// folder makes a folder for the files of one test, and removes it at the end.
export function folder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'inkling-web-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface Running { url: string; errors(): string; stop(): Promise<void> }

// start runs inkling web with these arguments and waits for its address.
export async function start(args: string[], cwd: string): Promise<Running> {
  const child: ChildProcess = spawn(binary, ['web', ...args, '--no-open', '--listen', '127.0.0.1:0'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr!.on('data', (b: Buffer) => { errors += b.toString(); });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await new Promise<string>((found, failed) => {
    createInterface({ input: child.stdout! }).once('line', (line) => found(line.trim()));
    child.once('exit', (code) => failed(new Error(`inkling web ended with ${code} before it printed its address:\n${errors}`)));
    child.once('error', failed);
  });
  return {
    url,
    errors: () => errors,
    async stop() {
      child.kill('SIGINT');
      const slow = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(slow);
    },
  };
}
