import type { Diagnostic } from '../diagnostics.js';
import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import { cycles, type Edges, neededBy } from './graph.js';

/** The references of the manifests, and what imports need by the nature of their rows. */
export function withNeeds(edges: Edges, jobs: readonly JobFacts[]): Edges {
  const all = new Map(edges);
  for (const { address, needs } of jobs) all.set(address, new Set([...neededBy(address, edges), ...needs]));
  return all;
}

/** Imports that wait for each other, since `after` asks for another order than their rows do. Known once the files were read. */
export function needCycles(edges: Edges, jobs: readonly JobFacts[]): Diagnostic[] {
  return cycles(withNeeds(edges, jobs)).flatMap((cycle) => {
    const follows = new Map(cycle.map((address, index) => [address, cycle[(index + 1) % cycle.length] as Address]));
    const waiting = jobs.filter(({ address, needs }) => needs.includes(follows.get(address) as Address));
    const why = waiting.map(
      ({ address }) =>
        `${address} comes after ${follows.get(address)} by itself: its rows refer to records of the other.`,
    );
    const message = `These imports wait for each other: ${[...cycle, cycle[0]].join(' -> ')}. ${why.join(' ')}`;
    const hint = 'Remove the `after` that asks for the other order.';
    return waiting
      .slice(0, 1)
      .map(({ origin }): Diagnostic => ({ severity: 'error', code: 'import-cycle', message, hint, origin }));
  });
}
