import type { Diagnostic } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Document, Origins } from '#core/model/document.js';
import type { Gate, Stage } from '#core/model/gate.js';
import { withoutNulls } from '#core/model/json.js';
import { compileCondition } from './compile-condition.js';
import type { ConfigFile, StageSection } from './config-schema.js';

/** The stages of a chain with their conditions compiled, and findings about the others. */
export interface ChainResult {
  readonly chain: readonly Stage[];
  readonly diagnostics: readonly Diagnostic[];
}

type WrittenStage = Exclude<StageSection, string>;
type GateSection = NonNullable<WrittenStage['gates']>[number];

/** Reads the chain of a configuration of a valid shape. */
export function readChain({ value, origins }: Document): ChainResult {
  const file = withoutNulls(value) as ConfigFile;
  const { promotion = [] } = file;
  const diagnostics: Diagnostic[] = [];
  const stages = promotion.map((section) => (typeof section === 'string' ? { environment: section } : section));
  const chain = stages.map(({ environment, fleet, approvals, gates = [] }, index): Stage => {
    const at = `/promotion/${index}`;
    const finding = stageFinding(stages, index, file);
    if (finding !== undefined) {
      const { member, ...found } = finding;
      // Positions are only found where they are needed.
      const origin = origins.value(typeof promotion[index] === 'string' ? at : `${at}${member}`);
      diagnostics.push({ severity: 'error', ...found, origin });
    }
    if (index === 0 && gates.length > 0)
      diagnostics.push(gatesOfSource(nameOf(stages[0]), origins.value(`${at}/gates`)));
    const read = gates.map((gate, place) => toGate(gate, gates.slice(0, place), `${at}/gates/${place}`, origins));
    diagnostics.push(...read.flatMap((one) => ('decide' in one ? [] : [one])));
    return {
      ...omitUndefined({ environment, fleet, approvals }),
      gates: read.flatMap((one) => ('decide' in one ? [one] : [])),
    };
  });
  return { chain, diagnostics };
}

const nameOf = ({ environment, fleet }: Pick<WrittenStage, 'environment' | 'fleet'> = {}): string =>
  environment ?? fleet ?? '';

/** What is wrong with a stage, and the member of it that is. */
interface StageFinding extends Pick<Diagnostic, 'code' | 'message' | 'hint'> {
  readonly member: '' | '/environment' | '/fleet';
}

function stageFinding(
  stages: readonly WrittenStage[],
  index: number,
  { environments, fleets = {} }: ConfigFile,
): StageFinding | undefined {
  const stage: WrittenStage = stages[index] ?? {};
  const name = nameOf(stage);
  if ((stage.environment === undefined) === (stage.fleet === undefined)) {
    const message = 'A stage of the chain has an `environment` or a `fleet`, and not both.';
    return { code: 'chain-stage', member: '', message, hint: 'Name one of them.' };
  }
  const what = stage.fleet === undefined ? 'environment' : 'fleet';
  const at = { code: `chain-${what}`, member: `/${what}` } as const;
  const known = Object.keys(what === 'fleet' ? fleets : environments);
  if (!known.includes(name)) {
    const hint = nearestHint(name, known) ?? `Use ${what === 'fleet' ? 'a fleet' : 'an environment'} of this file.`;
    return { ...at, message: `The chain has the ${what} "${name}", which does not exist.`, hint };
  }
  if (what === 'fleet' && index < stages.length - 1) {
    const message = `The chain has the fleet "${name}" before other stages, but a fleet can only be its end.`;
    return { ...at, message, hint: 'Move it to the end.' };
  }
  return stages.slice(0, index).some((before) => nameOf(before) === name)
    ? { ...at, message: `The chain has the ${what} "${name}" twice.`, hint: 'Remove one of them.' }
    : undefined;
}

const gatesOfSource = (environment: string, origin: Diagnostic['origin']): Diagnostic => ({
  severity: 'error',
  code: 'chain-gates',
  message: `"${environment}" is the source of the chain, so nothing is promoted to it and its gates have no meaning.`,
  hint: 'Write them at the stage that they protect.',
  ...omitUndefined({ origin }),
});

function toGate(
  { name, when, message = when }: GateSection,
  before: readonly GateSection[],
  at: string,
  origins: Origins,
): Gate | Diagnostic {
  if (before.some((other) => other.name === name)) {
    const origin = origins.value(`${at}/name`);
    const text = `Two gates of one stage are named "${name}"; \`--override\` could not distinguish them.`;
    return { severity: 'error', code: 'gate-repeated', message: text, hint: 'Rename one of them.', origin };
  }
  const decide = compileCondition(when, 'gate', `Gate "${name}"`, () => origins.value(`${at}/when`));
  return typeof decide === 'function' ? { name, message, decide } : decide;
}
