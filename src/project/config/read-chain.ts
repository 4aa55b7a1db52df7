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

type GateSection = NonNullable<Exclude<StageSection, string>['gates']>[number];

/** Reads the chain of a configuration of a valid shape. */
export function readChain({ value, origins }: Document): ChainResult {
  const { promotion = [], environments } = withoutNulls(value) as ConfigFile;
  const diagnostics: Diagnostic[] = [];
  const names: string[] = [];
  const chain = promotion.map((section, index): Stage => {
    const at = `/promotion/${index}`;
    const stage = typeof section === 'string' ? { environment: section } : section;
    const { environment, approvals, gates = [] } = stage;
    const found = stageFinding(environment, names, Object.keys(environments));
    if (found !== undefined) {
      // Positions are only found where they are needed.
      const origin = origins.value(typeof section === 'string' ? at : `${at}/environment`);
      diagnostics.push({ severity: 'error', code: 'chain-environment', ...found, origin });
    }
    if (index === 0 && gates.length > 0) diagnostics.push(gatesOfSource(environment, origins.value(`${at}/gates`)));
    names.push(environment);
    const read = gates.map((gate, place) => toGate(gate, gates.slice(0, place), `${at}/gates/${place}`, origins));
    diagnostics.push(...read.flatMap((one) => ('decide' in one ? [] : [one])));
    return {
      environment,
      gates: read.flatMap((one) => ('decide' in one ? [one] : [])),
      ...omitUndefined({ approvals }),
    };
  });
  return { chain, diagnostics };
}

function stageFinding(
  environment: string,
  before: readonly string[],
  known: readonly string[],
): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  if (!known.includes(environment)) {
    const hint = nearestHint(environment, known) ?? 'Use an environment of this file.';
    return { message: `The chain has the environment "${environment}", which does not exist.`, hint };
  }
  return before.includes(environment)
    ? { message: `The chain has the environment "${environment}" twice.`, hint: 'Remove one of them.' }
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
