import type { Argument, Command, Option } from 'commander';

/** What can be typed at the cursor, and what was typed before it. */
export interface CursorContext {
  readonly command: Command;
  /** Options and arguments whose value can be typed. */
  readonly values: readonly (Argument | Option)[];
  /** The text before a value that is attached to its option, such as `--env=`. */
  readonly attached: string;
  readonly wantsCommands: boolean;
  readonly wantsOptions: boolean;
  /** Values of options, by attribute name. */
  readonly given: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** Parses the words before the cursor. `current`: the word to complete. */
export function cursorContext(root: Command, words: readonly string[], current: string): CursorContext {
  const walk = walkThrough(root, words);
  const { command, given, operands, pending, onlyOperands } = walk;
  const base = { command, given, operands, attached: '', wantsCommands: false, wantsOptions: false };
  const [, attached = ''] = (!onlyOperands && /^(--[^=]+=)/.exec(current)) || [];
  const option = attached === '' ? pending : optionNamed(command, attached.slice(0, -1));
  if (attached !== '') return { ...base, attached, values: option === undefined ? [] : [option] };
  if (pending?.required === true) return { ...base, values: [pending] };
  if (current.startsWith('-') && !onlyOperands) return { ...base, values: [], wantsOptions: true };
  const argument = argumentAt(command, given, operands.length);
  const values = [pending, argument].filter((one) => one !== undefined);
  const wantsCommands = command.commands.length > 0 && (operands.length === 0 || isHelp(command, operands));
  return { ...base, values, wantsCommands, wantsOptions: values.length === 0 && !wantsCommands && !onlyOperands };
}

const isHelp = ({ parent }: Command, [first, ...others]: readonly string[]): boolean =>
  parent === null && first === 'help' && others.length === 0;

interface Walk {
  command: Command;
  readonly given: Map<string, string[]>;
  operands: string[];
  pending: Option | undefined;
  onlyOperands: boolean;
}

function walkThrough(root: Command, words: readonly string[]): Walk {
  const walk: Walk = { command: root, given: new Map(), operands: [], pending: undefined, onlyOperands: false };
  for (const word of words) {
    const { pending } = walk;
    walk.pending = undefined;
    if (walk.onlyOperands) walk.operands.push(word);
    else if (pending?.required === true || (pending !== undefined && !word.startsWith('-'))) give(walk, pending, word);
    else if (word === '--') walk.onlyOperands = true;
    else if (word.startsWith('-') && word.length > 1) takeOption(walk, word);
    else takeOperand(walk, word);
  }
  return walk;
}

function takeOption(walk: Walk, word: string): void {
  const [name = '', ...value] = word.split('=');
  const option = optionNamed(walk.command, name);
  if (option === undefined) return;
  if (value.length > 0) give(walk, option, value.join('='));
  else {
    give(walk, option);
    if (option.required || option.optional) walk.pending = option;
  }
}

function give({ given }: Walk, option: Option, value?: string): void {
  const name = option.attributeName();
  given.set(name, [...(given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
}

function takeOperand(walk: Walk, word: string): void {
  const command = walk.operands.length === 0 ? walk.command.commands.find((one) => one.name() === word) : undefined;
  if (command === undefined) walk.operands.push(word);
  else walk.command = command;
}

/** The command and those above it, whose options it accepts too. */
export const withParents = (command: Command): readonly Command[] =>
  command.parent === null ? [command] : [command, ...withParents(command.parent)];

const optionNamed = (command: Command, name: string): Option | undefined =>
  withParents(command)
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === name || short === name);

/** The next argument; skips those whose value was given by the option of the same name. */
function argumentAt(
  { registeredArguments }: Command,
  given: ReadonlyMap<string, unknown>,
  index: number,
): Argument | undefined {
  const open = registeredArguments.filter((argument) => !given.has(argument.name()));
  const last = open.at(-1);
  return open[index] ?? (last?.variadic === true ? last : undefined);
}
