// One browser for all journeys: it is started once, and each of them connects to it.
//
//	node serve.mjs JOURNEY...

import { spawn } from 'node:child_process';
import { serve } from './browser';

const server = await serve();
const tests = spawn(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=spec', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, INKLING_BROWSER_AT: server.wsEndpoint() } });
process.exitCode = await new Promise<number>((done) => tests.once('exit', (code) => done(code ?? 1)));
await server.close();
