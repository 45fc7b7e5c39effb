// The steps of a journey, by name: a failure says where on the way it happened.

export interface Journey {
  step(name: string, part: () => Promise<void>): Promise<void>;
  end(): void;
}

// steps begins a journey. With INKLING_GO_ON set a failure is kept for the end and the journey goes on, to see all at once.
export function steps(): Journey {
  const failed: Error[] = [];
  return {
    async step(name, part) {
      try {
        await part();
      } catch (e) {
        const error = e instanceof Error ? e : new Error(String(e));
        error.message = `${name}: ${error.message}`;
        if (!process.env.INKLING_GO_ON) throw error;
        console.log(`FAILED ${error.message.slice(0, 800)}`);
        failed.push(error);
      }
    },
    end() {
      if (failed.length > 0) throw new AggregateError(failed, failed.map((e) => e.message).join('\n'));
    },
  };
}
