import { type Diagnostic, environmentOrigin, isOfEnvironment } from '#base/diagnostics.js';
import { inNaturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { link } from '#core/engine/link.js';
import { claimedAddresses, type Patterns, patternTexts, type Selection } from '#core/engine/selection.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { Plan } from '#core/model/plan.js';
import type { FilledLayers } from '#project/read-documents.js';
import { promotedManifests } from './promoted-manifests.js';
import type { Source } from './read-source.js';

/** The selection of a plan that promotes a source, and the findings about it. */
export interface Promotion {
  readonly selection: Selection;
  readonly diagnostics: readonly Diagnostic[];
  /** For objects that must match the source entirely: the fields that the source does not cover. */
  readonly unknownIn?: ((kind: Kind, address: Address) => readonly string[]) | undefined;
}

/** Converts the objects of a source to manifests of the target environment, and to a selection to plan. */
export function promote(source: Source, layers: FilledLayers, promoting: PromotionInput): Promotion {
  const origin = environmentOrigin(source.environment);
  const { manifests, diagnostics, released } = promotedManifests(source.objects, layers, origin, promoting.catalog);
  const selection = selectionOf(source, manifests, promoting);
  const { hidden, leftOut } = source;
  return {
    selection,
    diagnostics: [...diagnostics, ...selection.linked.diagnostics].map((one) => advise(one, source, layers)),
    unknownIn:
      hidden &&
      ((kind, address) => [...hidden(kind), ...(leftOut?.get(address) ?? []), ...(released.get(address) ?? [])]),
  };
}

/** Adds a hint to errors that have no line to correct. Sending less could do more than what is promoted. */
function advise(found: Diagnostic, { environment }: Source, { environment: to }: FilledLayers): Diagnostic {
  if (found.severity !== 'error' || found.origin === undefined || !isOfEnvironment(found.origin)) return found;
  const hint = `It cannot be promoted as it is. Correct it in environment "${environment}", give it in the overlay of "${to}", or leave the object out with \`--exclude\`.`;
  return { ...found, hint };
}

function selectionOf(
  { as, environment, workspace, release, requests, closure }: Source,
  promoted: readonly Manifest[],
  { patterns, project, jobs, catalog, taken }: PromotionInput,
): Selection {
  const planned = inNaturalOrder([...promoted, ...jobs], ({ address }) => address);
  const meant = new Set(planned.map(({ address }) => address));
  const leftOut = project.filter(({ address }) => !meant.has(address));
  const comesAlong = closure.filter(({ address }) => meant.has(address));
  const { only, exclude } = patterns;
  return {
    patterns,
    linked: link(planned, catalog.schemaOf, [...planned, ...leftOut]),
    leftOut,
    claimed: new Set([...planned, ...leftOut].flatMap(claimedAddresses)),
    promoted: {
      environment,
      workspace: workspace.name,
      as,
      ...omitUndefined({ release }),
      requests,
      closure: comesAlong,
      ...(taken.length === 0 ? {} : { taken }),
    },
    ...(only.length + exclude.length === 0
      ? {}
      : {
          record: {
            only: patternTexts(only),
            exclude: patternTexts(exclude),
            closure: comesAlong.map(({ address }) => address),
          },
        }),
  };
}

/** The input of a promotion besides its objects. */
export interface PromotionInput {
  readonly patterns: Patterns;
  /** All manifests of the target environment. */
  readonly project: readonly Manifest[];
  /** The jobs among them, which are promoted by name. */
  readonly jobs: readonly Manifest[];
  readonly catalog: Catalog;
  /** How a person decided conflicts. */
  readonly taken: NonNullable<NonNullable<Plan['promoted']>['taken']>;
}
