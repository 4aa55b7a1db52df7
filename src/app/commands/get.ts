import { type Command, createArgument, createOption } from 'commander';
import { listingCsv, texts } from '../library/internal.js';
import {
  DexsyncError,
  EXIT,
  type GetOptions,
  get,
  getAll,
  getManifests,
  type Host,
  type Listing,
} from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { formatChoice } from './format-option.js';
import { documentOption } from './json-option.js';
import { pickGiven } from './option-values.js';
import { logText, logYaml } from './pipeline-log.js';
import { jsonDocument } from './print-document.js';

const FORMATS = ['table', 'json', 'yaml', 'csv', 'name'] as const;

interface GetFlags extends GlobalOptions {
  readonly output: (typeof FORMATS)[number];
  readonly world?: string;
  readonly category?: string;
}

/** `dexsync get`: live objects as a table, JSON, CSV, names or manifests. Sends no write. */
export const getCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'get',
    summary: 'list live objects of a kind, or entries of a lookup',
    description:
      'Lists the live objects of a kind, or the entries of a lookup, as a table, JSON, manifests (yaml), CSV or names. ' +
      'Reads no manifests.',
    arguments: [
      createArgument(
        '<kind>',
        'kind or lookup, such as UserGroup, groups or attributes; `dexsync kinds` lists them, `all` means all kinds',
      ),
      createArgument('[name]', 'only the object with this name, including its members'),
    ],
    options: [
      formatChoice('-o, --output <format>', 'output format; yaml prints manifests, name one address per line', FORMATS),
      documentOption(),
      createOption(
        '--world <world>',
        'only attributes of this world: ITEMS, BOM, CHANGES, REQUESTS, QUALITY, SUPPLIERS and others',
      ),
      createOption('--category <path>', 'only attributes of this category'),
    ],
    examples: [
      'dexsync get groups',
      'dexsync get all --env prod',
      'dexsync get UserGroup Quality -o yaml > manifests/quality.yaml',
      "dexsync get attributes --world ITEMS --category 'Item\\Resistor'",
      'dexsync get NumberReservation -o json | jq .objects',
      "dexsync get groups -o name | xargs -d '\\n' dexsync forget",
    ],
    run: async ({ flags, host, project }: CommandRun<GetFlags>, type: string, name: string | undefined) => {
      const only = name === undefined ? {} : { name };
      const wanted = { ...project, type, ...only, ...pickGiven(flags, 'world', 'category') };
      const format = flags.json === true ? 'json' : flags.output;
      cli.out.write(await textOf(wanted, format, cli, host));
      return EXIT.done;
    },
  });

async function textOf(wanted: GetOptions, output: GetFlags['output'], cli: Cli, host: Host): Promise<string> {
  if (output === 'yaml') return logYaml(cli, await manifestsText(wanted, host));
  if (wanted.type !== 'all') return formatListing(await get(wanted, host), output, cli);
  if (output === 'csv') {
    throw new DexsyncError('USAGE', '`get all` has no CSV: each kind has columns of its own.', {
      hint: 'Give one kind, or use `-o json`.',
    });
  }
  return formatListings(await getAll(wanted, host), output, cli);
}

async function formatListings(all: readonly Listing[], output: 'table' | 'json' | 'name', cli: Cli): Promise<string> {
  if (output === 'json') return logText(cli, jsonDocument(all), 'json');
  const { listings, names } = await texts(cli.color, cli.width);
  return logText(cli, output === 'name' ? names(all.flatMap(addressesOf)) : listings(all));
}

const addressesOf = ({ type, objects }: Listing): string[] => objects.map(({ name }) => `${type}/${name}`);

async function manifestsText(options: GetOptions, host: Host): Promise<string> {
  const { text, findings } = await getManifests(options, host);
  for (const diagnostic of findings) host.emit({ type: 'diagnostic', diagnostic });
  return text;
}

async function formatListing(listing: Listing, output: Exclude<GetFlags['output'], 'yaml'>, cli: Cli): Promise<string> {
  switch (output) {
    case 'json':
      return logText(cli, jsonDocument(listing), 'json');
    case 'csv':
      return logText(cli, await listingCsv(listing));
    case 'name':
      return logText(cli, (await texts(cli.color)).names(addressesOf(listing)));
    case 'table':
      return logText(cli, (await texts(cli.color, cli.width)).listing(listing));
  }
}
