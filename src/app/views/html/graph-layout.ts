import type { Plan, Step } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';
import { kindInAddress } from '../report/kind-in-address.js';

/** A step, or many of one kind and action, as a box of the picture. */
export interface GraphNode {
  readonly label: string;
  readonly action: Action;
  /** Number of steps in the box. */
  readonly count: number;
  /** Search words that find its steps in the list. */
  readonly search: string;
  readonly kind: string;
  readonly column: number;
  readonly row: number;
}

/** From a node to one that waits for it, by their indexes. */
export type GraphEdge = readonly [from: number, to: number];

/** Nodes and edges of the picture. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** For more steps the picture would be unreadable: those of one kind and action then share a box. */
const MOST_BOXES = 60;

/** Lays out the dependencies of steps in columns: each box is to the right of all that it waits for. */
export function layOutGraph({ steps }: Pick<Plan, 'steps'>): Graph {
  const depths = depthsOf(steps);
  const isGrouped = steps.length > MOST_BOXES;
  const keyOf = ({ address, action }: Step): string => (isGrouped ? `${kindInAddress(address)} ${action}` : address);
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const own = groups.get(keyOf(step));
    if (own === undefined) groups.set(keyOf(step), [step]);
    else own.push(step);
  }
  const depthOf = (own: readonly Step[]): number =>
    own.reduce((most, { address }) => Math.max(most, depths.get(address) ?? 0), 0);
  // Only depths that have a box become columns.
  const columns = [...new Set([...groups.values()].map(depthOf))].sort((one, other) => one - other);
  const heights: number[] = [];
  const nodes = [...groups.values()].map((own): GraphNode => {
    const [first] = own as [Step, ...Step[]];
    const kind = kindInAddress(first.address);
    const column = columns.indexOf(depthOf(own));
    const row = heights[column] ?? 0;
    heights[column] = row + 1;
    const isOne = own.length === 1;
    const label = isOne ? first.address : `${own.length} × ${kind}`;
    return {
      label,
      action: first.action,
      count: own.length,
      search: isOne ? first.address : '',
      kind,
      column,
      row,
    };
  });
  return { nodes, edges: edgesOf(steps, keyOf, [...groups.keys()]) };
}

function edgesOf(steps: readonly Step[], keyOf: (step: Step) => string, keys: readonly string[]): GraphEdge[] {
  const byAddress = new Map<string, Step>(steps.map((step) => [step.address, step]));
  const indexes = new Map(keys.map((key, index) => [key, index]));
  const edges = new Map<string, GraphEdge>();
  for (const step of steps) {
    for (const address of step.dependsOn) {
      const first = byAddress.get(address);
      const [from, to] = [first === undefined ? undefined : indexes.get(keyOf(first)), indexes.get(keyOf(step))];
      if (from !== undefined && to !== undefined && from !== to) edges.set(`${from} ${to}`, [from, to]);
    }
  }
  return [...edges.values()];
}

/** Counts the steps that each step waits for, one after another. */
function depthsOf(steps: readonly Step[]): Map<string, number> {
  const byAddress = new Map<string, Step>(steps.map((step) => [step.address, step]));
  const depths = new Map<string, number>();
  // A plan lists a step after those that it waits for; any other order takes more rounds.
  for (let round = 0, changed = true; changed && round < steps.length; round += 1) {
    changed = false;
    for (const { address, dependsOn } of steps) {
      const before = dependsOn.filter((one) => byAddress.has(one)).map((one) => (depths.get(one) ?? 0) + 1);
      const depth = Math.min(steps.length, Math.max(0, ...before));
      if (depth !== (depths.get(address) ?? 0)) changed = true;
      depths.set(address, depth);
    }
  }
  return depths;
}
