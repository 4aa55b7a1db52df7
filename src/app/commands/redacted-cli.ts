import { findList, type Output, openSecrets } from '../library/internal.js';
import type { Secrets } from '../library/library.js';
import type { BareCli, Cli } from './cli-context.js';

/** Redacts secrets in the streams and questions of a process; `flush` writes the text that is still held back. */
export function safeCli(cli: BareCli): { readonly safe: Cli; flush(): void } {
  const secrets = openSecrets(cli.host.variables);
  const [out, err] = [safeOutput(cli.out, secrets), safeOutput(cli.err, secrets)];
  const flush = (): void => {
    out.flush();
    err.flush();
  };
  const ask: Cli['ask'] = (question) => {
    flush();
    return cli.ask(secrets.redact(question));
  };
  const choose: Cli['choose'] = (question, choices, initial) => {
    flush();
    const shown = choices.map(({ value, label }) => ({ value, label: secrets.redact(label) }));
    return cli.choose(secrets.redact(question), shown, initial);
  };
  return { safe: { ...cli, host: { ...cli.host, secrets, findList }, out, err, ask, choose }, flush };
}

type SafeOutput = Output & { flush(): void };

function safeOutput(output: Output, secrets: Secrets): SafeOutput {
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
      output.write(Buffer.from(secrets.redact(Buffer.from(text).toString('latin1')), 'latin1'));
    },
    ...(output.drained === undefined ? {} : { drained: () => output.drained?.() ?? Promise.resolve() }),
  };
}
