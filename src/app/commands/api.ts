import { type Command, createArgument, createOption, InvalidArgumentError, type Option } from 'commander';
import { texts } from '../library/internal.js';
import {
  type ApiAnswer,
  type ApiOptions,
  type Ask,
  api,
  DexsyncError,
  EXIT,
  type GivenField,
} from '../library/library.js';
import type { Cli } from './cli-context.js';
import { type ConfirmFlags, isYes, productionYesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { documentOption } from './json-option.js';
import { pickGiven } from './option-values.js';
import { logText } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';

interface ApiFlags extends ConfirmFlags {
  readonly paginate?: boolean;
  readonly input?: string;
  readonly query?: string;
  readonly raw?: boolean;
  readonly include?: boolean;
  readonly output?: string;
  readonly force?: boolean;
}

/** Number of pages of a long read between two lines of progress. */
const PAGES_A_LINE = 5;

/** `dexsync api`: sends one request as given. A write to a production environment needs `--yes` or a confirmation. */
export function apiCommand(cli: Cli): Command {
  // Fields of both options in the order of the command line, on which entries of lists depend.
  const fields: GivenField[] = [];
  return defineCommand(cli, {
    name: 'api',
    summary: 'send any request with the login of the environment',
    description:
      'Sends one request to the service of the environment and prints the answer. Without METHOD it is a GET, or a POST ' +
      'if fields or an input are given. Writes to a production environment need --yes or confirmation at the ' +
      'terminal. With --json, the body of an error answer is printed on standard output too.\n\n' +
      'Field names can be nested: options.mode=EDIT, options[mode]=EDIT, members[]=x, mapping[].apiName=number. In a ' +
      'query string they are sent as typed.',
    shared: [(command) => command.usage('[options] [METHOD] PATH')],
    arguments: [
      createArgument('<method-or-path>', 'GET, POST, PUT or DELETE, or the path'),
      createArgument('[path]', 'path below the base URL of the service, starting with "/"'),
    ],
    options: apiOptions((text, as) => fields.push(parseField(text, as))),
    examples: [
      "dexsync api /settings/usergroups --paginate -q 'results[].name'",
      "dexsync api GET /items -f name=Lamp -F limit=5 -q 'results[0].guid' -r",
      'dexsync api PUT /settings/usergroups/GUID -f name=Quality -F enabled=false',
      'dexsync api POST /imports --input definition.json --yes',
      'dexsync api /files/GUID/content --output drawing.pdf',
    ],
    run: async ({ flags, host, project, out }: CommandRun<ApiFlags>, first: string, second: string | undefined) => {
      const printing = { ...cli, out };
      const request = toRequest([first, second], fields, flags);
      const answer = await api({ ...project, ...request, ...terminalHooks(fields, flags, printing) }, host);
      if (answer !== undefined) return printAnswer(answer, flags, printing);
      cli.err.write('Nothing was sent.\n');
      return EXIT.incomplete;
    },
  });
}

const apiOptions = (addField: (text: string, as: GivenField['as']) => number): Option[] => [
  createOption('-f, --raw-field <name=value>', 'add a text field; can be repeated').argParser((text) =>
    addField(text, 'text'),
  ),
  createOption(
    '-F, --field <name=value>',
    'add a field that is true, false, null, a number, @file or text; can be repeated',
  ).argParser((text) => addField(text, 'value')),
  createOption(
    '--input <file>',
    'read a JSON body from a file, or from standard input with -; fields then go into the query string',
  ),
  createOption('--paginate', 'read all pages of a list and print one document'),
  createOption('-q, --query <expression>', 'apply a JMESPath expression to the answer'),
  createOption('-r, --raw', 'print a text result without quotes'),
  createOption('--include', 'print status and headers before the answer'),
  createOption('--output <file>', 'save the answer to a file'),
  createOption('--force', 'overwrite the file of --output'),
  productionYesOption(),
  documentOption(),
];

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
  { paginate, include, output, force, ...flags }: ApiFlags,
): Pick<ApiOptions, 'method' | 'path' | 'fields' | 'input' | 'pages' | 'query' | 'output'> {
  if (paginate === true && include === true)
    throw usageError('`--paginate` reads several answers, but `--include` shows only one. Leave out one of them.');
  const implied = fields.length > 0 || flags.input !== undefined ? 'POST' : 'GET';
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
    ...pickGiven(flags, 'input', 'query'),
    ...(output === undefined ? {} : { output: { file: output, existing: force === true ? 'replaced' : 'kept' } }),
  };
}

const usageError = (message: string, hint?: string): DexsyncError => new DexsyncError('USAGE', message, { hint });

/** Connects the operation to the terminal: confirmation, progress, and the body of an error answer. */
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
