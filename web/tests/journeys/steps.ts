// The steps of a journey, by name: a failure says where on the way it happened.

import { join } from 'node:path';
import type { Watched } from './browser';

export interface Journey {
  step(name: string, part: () => Promise<void>): Promise<void>;
  end(): void;
}

// photographer takes pictures of a journey: with INKLING_PICTURES they are put into that folder, under its name.
export function photographer(journey: string): (w: Watched, name: string) => Promise<void> {
  return async (w, name) => {
    const pictures = process.env.INKLING_PICTURES;
    if (pictures) await w.page.screenshot({ path: join(pictures, `${journey}-${name}.png`) });
  };
}

// steps begins a journey. With INKLING_GO_ON set a failure is kept for the end and the journey goes on, to see all at once;
// with INKLING_PICTURES a picture of the page is put into that folder.
export function steps(w?: Watched): Journey {
  const failed: Error[] = [], failure = photographer('failed');
  return {
    async step(name, part) {
      try {
        await part();
      } catch (e) {
        const error = e instanceof Error ? e : new Error(String(e));
        error.message = `${name}: ${error.message}`;
        if (w) await failure(w, name.replace(/\W+/g, '-')).catch(() => undefined);
        if (!process.env.INKLING_GO_ON) throw error;
        console.log(`FAILED ${error.message.slice(0, 800)}`);
        failed.push(error);
        await w?.page.keyboard.press('Escape'); // a dialog that is left open
      }
    },
    end() {
      if (failed.length > 0) throw new AggregateError(failed, failed.map((e) => e.message).join('\n'));
    },
  };
}
