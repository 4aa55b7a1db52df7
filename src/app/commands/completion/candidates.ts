import type { Argument, Command, Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { REPORT_FORMATS, typesMeant } from '../../library/internal.js';
import { explain, type Host, type KindRow, listKinds, projectNames } from '../../library/library.js';
import { type CursorContext, withParents } from './expected.js';
import { filesAt } from './files-at.js';
import type { Candidate, Word } from './shell-line.js';
import { findValueSource, type ValueSource } from './value-source.js';

/** Candidates for the word at the cursor; all begin as typed. */
export async function candidatesFor(expected: CursorContext, word: Word, host: Host): Promise<readonly Candidate[]> {
  const { command, attached, values } = expected;
  const typed = { ...word, text: word.text.slice(attached.length) };
  const found = await Promise.all(values.map((value) => valuesOf(value, expected, typed, host)));
  const all = [
    ...(expected.wantsCommands ? commandsOf(command) : []),
    ...found.flat().map((one) => ({ ...one, value: attached + one.value })),
    ...(expected.wantsOptions ? optionsOf(expected) : []),
  ];
  return all.filter(({ value }) => value.startsWith(word.text));
}

const commandsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ value: one.name(), description: one.summary() }));

/** Options that are not hidden, and not given already unless they can be repeated. */
function optionsOf({ command, given }: CursorContext): Candidate[] {
  const all = withParents(command).flatMap(({ parent, options }) =>
    options.filter(
      ({ hidden, long }) =>
        !hidden && long !== undefined && (parent !== null || long !== '--version' || command.parent === null),
    ),
  );
  const free = all.filter((option) => !given.has(option.attributeName()) || option.description.includes('repeated'));
  return [
    ...free.map(({ long = '', description }) => ({ value: long, description })),
    { value: '--help', description: 'show help' },
  ];
}

async function valuesOf(
  value: Argument | Option,
  expected: CursorContext,
  word: Word,
  host: Host,
): Promise<readonly Candidate[]> {
  const source = findValueSource(value, expected.command);
  const names = await projectValues(source, expected, word, host);
  return names ?? typeValues(source, host);
}

/** Values from the project or the disk; undefined for other sources. */
async function projectValues(
  source: ValueSource,
  expected: CursorContext,
  word: Word,
  host: Host,
): Promise<readonly Candidate[] | undefined> {
  const files = (typed = word.text): Promise<readonly Candidate[]> => filesAt(host.cwd, typed);
  switch (source.is) {
    case 'files':
      return files();
    case 'folders':
      return filesAt(host.cwd, word.text, 'folders');
    case 'reports':
      return reportsAt(word.text, files);
    case 'environments':
      return toCandidates(await namesIn('environments', expected, host));
    case 'saved plans':
      return savedPlans(expected, host);
    case 'plans':
      return [...(await savedPlans(expected, host)), ...(await files())];
    case 'addresses':
    case 'patterns':
      return addresses(await namesIn('addresses', expected, host), { expected, word, host }, source.is);
    case 'names':
      return namesOf(await namesIn('addresses', expected, host), source.kind ?? expected.operands[0] ?? '', host);
    default:
      return undefined;
  }
}

/** Values that are the same for every project. */
async function typeValues(source: ValueSource, host: Host): Promise<readonly Candidate[]> {
  switch (source.is) {
    case 'words':
      return toCandidates(source.words);
    case 'kinds':
      return kindWords((await kindRows(host)).filter(({ role }) => role !== 'job'));
    case 'managed kinds':
      return kindWords((await kindRows(host)).filter(({ role }) => role === 'kind' || role === 'checked'));
    case 'fields':
      return [...kindWords(await kindRows(host)), ...(await fieldPaths(host))];
    default:
      return [];
  }
}

const toCandidates = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));

async function reportsAt(typed: string, files: (typed: string) => Promise<readonly Candidate[]>): Promise<Candidate[]> {
  const [format = '', file] = typed.split('=', 2);
  if (file === undefined) return REPORT_FORMATS.map((one) => ({ value: `${one}=`, open: true }));
  return (await files(file)).map((one) => ({ ...one, value: `${format}=${one.value}` }));
}

const savedPlans = async (expected: CursorContext, host: Host): Promise<Candidate[]> =>
  (await namesIn('plans', expected, host)).map((name) => ({ value: `ledger:${name}` }));

/** Names in the project that the typed options choose; does not wait for manifests from standard input. */
function namesIn(
  what: Parameters<typeof projectNames>[0],
  { given }: CursorContext,
  host: Host,
): Promise<readonly string[]> {
  const [config, environment] = ['config', 'env'].map((name) => given.get(name)?.at(-1));
  const files = given.get('file')?.filter((file) => file !== '-') ?? [];
  const options = {
    ...omitUndefined({ config, environment }),
    ...(files.length === 0 ? {} : { files }),
  };
  return projectNames(what, options, host);
}

/** Completion runs no code of the project, so its own kinds are unknown here. */
const withoutTrust = ({ trust: _, ...host }: Host): Host => ({ ...host, variables: {} });

const kindRows = (host: Host): Promise<KindRow[]> => listKinds({}, withoutTrust(host));

const kindWords = (rows: readonly KindRow[]): Candidate[] => [
  ...rows.map(({ name, summary }) => ({ value: name, description: summary })),
  ...rows.flatMap(({ name, shortNames }) => shortNames.map((value) => ({ value, description: name }))),
];

async function fieldPaths(host: Host): Promise<Candidate[]> {
  const rows = await kindRows(host);
  const explained = await Promise.all(
    rows.map(async ({ name }) => ({ name, fields: (await explain({ topic: name }, withoutTrust(host))).fields })),
  );
  return explained.flatMap(({ name, fields }) =>
    fieldsBelow(fields).map((path) => ({ value: `${name}.${path.replaceAll('[]', '')}` })),
  );
}

type Fields = Awaited<ReturnType<typeof explain>>['fields'];

const fieldsBelow = (fields: Fields): string[] =>
  fields.flatMap(({ path, fields: below }) => [path, ...fieldsBelow(below)]);

const splitAddress = (address: string): [string, string] => {
  const at = address.indexOf('/');
  return [address.slice(0, at), address.slice(at + 1)];
};

/** First kinds, then names. Within quotes whole addresses, since the shell closes the quote after each word. */
async function addresses(
  known: readonly string[],
  {
    expected: { operands },
    word,
    host,
  }: { readonly expected: CursorContext; readonly word: Word; readonly host: Host },
  form: 'addresses' | 'patterns',
): Promise<Candidate[]> {
  const { text, quote } = word;
  const free = known.filter((address) => !operands.includes(address));
  const rows = (await kindRows(host)).filter(({ name }) => free.some((address) => address.startsWith(`${name}/`)));
  if (!text.includes('/') && quote === '') {
    const kinds = rows.flatMap(({ name, shortNames }) => [name, ...shortNames.filter(() => text !== '')]);
    return kinds.flatMap((name) => [
      ...(form === 'patterns' ? [{ value: name }] : []),
      { value: `${name}/`, open: true },
    ]);
  }
  const [typed] = splitAddress(text);
  const meant = typesMeant(typed, rows).map(({ name }) => name);
  return free.flatMap((address) => {
    const [kind, name] = splitAddress(address);
    if (!text.includes('/')) return [{ value: address }];
    return meant.includes(kind) ? [{ value: `${typed}/${name}` }] : [];
  });
}

async function namesOf(known: readonly string[], word: string, host: Host): Promise<Candidate[]> {
  const meant = typesMeant(word, await kindRows(host)).map(({ name }) => name);
  return known.flatMap((address) => {
    const [kind, name] = splitAddress(address);
    return meant.includes(kind) ? [{ value: name }] : [];
  });
}
