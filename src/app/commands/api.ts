import { Command, InvalidArgumentError } from 'commander';
import {
  type ApiAnswer,
  type ApiOptions,
  type Ask,
  api,
  DexsyncError,
  EXIT,
  type GivenField,
  texts,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { isYes } from './confirm.js';
import { examples } from './examples.js';
import { documentOption } from './json-option.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';
import { run } from './run.js';

interface ApiFlags extends GlobalOptions {
  readonly paginate?: boolean;
  readonly input?: string;
  readonly query?: string;
  readonly raw?: boolean;
  readonly include?: boolean;
  readonly output?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Progress of a long read is shown once for this many pages. */
const PAGES_A_LINE = 5;

/** `dexsync api`: one request as it is given. A write to a production environment needs `--yes` or a yes. */
export function apiCommand(cli: Cli): Command {
  // Both kinds of fields in the order in which they stand: entries of lists depend on it.
  const fields: GivenField[] = [];
  const adder = (as: GivenField['as']) => (text: string) => fields.push(parseField(text, as));
  return new Command('api')
    .summary('send any request with the login of the environment')
    .usage('[options] [METHOD] PATH')
    .description(
      'Sends one request to the service of the environment and prints the answer. Without METHOD it is a GET, or a POST ' +
        'if fields or an input are given. Writes to a production environment need --yes or confirmation at the ' +
        'terminal. With --json, the body of an error answer is printed on standard output too.\n\n' +
        'Field names can be nested: options.mode=EDIT, options[mode]=EDIT, members[]=x, mapping[].apiName=number. In a ' +
        'query string they are sent as typed.',
    )
    .argument('<method-or-path>', 'GET, POST, PUT or DELETE, or the path')
    .argument('[path]', 'path below the base URL of the service, starting with "/"')
    .option('-f, --raw-field <name=value>', 'add a text field; can be repeated', adder('text'))
    .option(
      '-F, --field <name=value>',
      'add a field that is true, false, null, a number, @file or text; can be repeated',
      adder('value'),
    )
    .option(
      '--input <file>',
      'read a JSON body from a file, or from standard input with -; fields then go into the query string',
    )
    .option('--paginate', 'read all pages of a list and print one document')
    .option('-q, --query <expression>', 'apply a JMESPath expression to the answer')
    .option('-r, --raw', 'print a text result without quotes')
    .option('--include', 'print status and headers before the answer')
    .option('--output <file>', 'save the answer to a file')
    .option('--force', 'overwrite the file of --output')
    .option('-y, --yes', 'do not ask for confirmation in a production environment')
    .addOption(documentOption())
    .addHelpText('after', EXAMPLES)
    .action(async (first: string, second: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<ApiFlags>();
      await run(cli, 'findings', options, async ({ host, project, out }) => {
        const printing = { ...cli, out };
        const answer = await api(
          { ...project, ...toRequest([first, second], fields, options), ...terminalHooks(fields, options, printing) },
          host,
        );
        if (answer !== undefined) return printAnswer(answer, options, printing);
        cli.err.write('Nothing was sent.\n');
        return EXIT.incomplete;
      });
    });
}

const EXAMPLES = examples(
  "dexsync api /settings/usergroups --paginate -q 'results[].name'",
  "dexsync api GET /items -f name=Lamp -F limit=5 -q 'results[0].guid' -r",
  'dexsync api PUT /settings/usergroups/GUID -f name=Quality -F enabled=false',
  'dexsync api POST /imports --input definition.json --yes',
  'dexsync api /files/GUID/content --output drawing.pdf',
);

function parseField(text: string, as: GivenField['as']): GivenField {
  const [name = '', ...value] = text.split('=');
  if (value.length > 0 && name !== '') return { name, text: value.join('='), as };
  if (name.endsWith('[]')) return { name, as };
  throw new InvalidArgumentError('Write NAME=VALUE, or NAME[] for an empty list.');
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

function toRequest(
  [first, second]: readonly [string, string | undefined],
  fields: readonly GivenField[],
  { input, paginate, include, query, output, force }: ApiFlags,
): Pick<ApiOptions, 'method' | 'path' | 'fields' | 'input' | 'pages' | 'query' | 'output'> {
  if (paginate === true && include === true)
    throw usageError('`--paginate` reads several answers, but `--include` shows only one. Leave out one of them.');
  const implied = fields.length > 0 || input !== undefined ? 'POST' : 'GET';
  const method = second === undefined ? implied : METHODS.find((one) => one === first.toUpperCase());
  if (method === undefined) throw usageError(`"${first}" is not an HTTP method.`, `Use one of ${METHODS.join(', ')}.`);
  const path = second ?? first;
  if (METHODS.some((one) => one === path.toUpperCase()))
    throw usageError('The path is missing.', 'Add a path, such as `dexsync api GET /items`.');
  return {
    method,
    path,
    fields,
    pages: paginate === true ? 'all' : 'one',
    ...(input === undefined ? {} : { input }),
    ...(query === undefined ? {} : { query }),
    ...(output === undefined ? {} : { output: { file: output, existing: force === true ? 'replaced' : 'kept' } }),
  };
}

const usageError = (message: string, hint?: string): DexsyncError => new DexsyncError('USAGE', message, { hint });

/** What the operation asks of the terminal and tells it. */
function terminalHooks(
  fields: readonly GivenField[],
  { yes, json, input }: ApiFlags,
  cli: Cli,
): Pick<ApiOptions, 'confirm' | 'onRead' | 'onRefusal'> {
  const takesInput = input === '-' || fields.some(({ as, text }) => as === 'value' && text === '@-');
  const ask: Ask<string> = async (request, place) =>
    isYes(cli, `Send ${request} to ${(await texts(cli.color)).place(place)}, a production workspace?`);
  const mute = cli.input === 'none' || takesInput;
  let pages = 0;
  return {
    confirm: yes === true ? 'given' : mute ? 'impossible' : ask,
    onRead: (entries) => {
      pages += 1;
      if (pages % PAGES_A_LINE === 0) cli.err.write(`${entries} entries read so far\n`);
    },
    onRefusal: (body) => {
      if (json === true && isJson(body)) cli.out.write(logText(cli, `${body.trimEnd()}\n`, 'json'));
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function printAnswer({ status, headers, body }: ApiAnswer, { include, raw, json }: ApiFlags, cli: Cli) {
  const { out, err } = cli;
  if (include === true) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
    out.write(logText(cli, `HTTP ${status}\n${lines.join('')}\n`));
  }
  if ('bytes' in body) out.write(body.bytes);
  else if ('file' in body)
    json === true ? out.write(`${JSON.stringify(body)}\n`) : err.write(`Saved to ${body.file}\n`);
  else if (raw === true && typeof body.json === 'string') out.write(logText(cli, `${body.json}\n`));
  else out.write(logText(cli, jsonDocument(body.json), 'json'));
  return EXIT.done;
}
