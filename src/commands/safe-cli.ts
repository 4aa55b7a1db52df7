import type { Output } from '../index.js';
import type { Cli } from './cli-context.js';

/** The same process, whose secrets reach neither its streams nor its questions; `flush` writes what is still kept back. */
export function safeCli(cli: Cli): { readonly safe: Cli; flush(): void } {
  const { secrets } = cli.host;
  const streams = [cli.out, cli.err].map((output) => safeOutput(output, cli));
  const [out, err] = streams as [SafeOutput, SafeOutput];
  const flush = (): void => {
    for (const stream of streams) stream.flush();
  };
  const ask: Cli['ask'] = (question) => {
    flush();
    return cli.ask(secrets.redact(question));
  };
  return { safe: { ...cli, out, err, ask }, flush };
}

type SafeOutput = Output & { flush(): void };

function safeOutput(output: Output, { host: { secrets } }: Cli): SafeOutput {
  const redaction = secrets.openRedaction();
  const write = (text: string): void => {
    if (text !== '') output.write(text);
  };
  const flush = (): void => write(redaction.end());
  return {
    flush,
    write(text) {
      if (typeof text === 'string') return write(redaction.next(text));
      flush();
      output.write(secrets.redactBytes(text));
    },
    ...(output.drained === undefined ? {} : { drained: () => output.drained?.() ?? Promise.resolve() }),
  };
}
