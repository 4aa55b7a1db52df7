import { type CheckedImport, crossCheck } from '../bulk/preflight/cross-check.js';
import { collectFindings, type Finding, type FindingSummary } from '../bulk/preflight/findings.js';
import { isDealtWith } from '../engine/decide-job.js';
import type { Host } from '../host.js';
import { definitionOf, type Job, specOf } from './job.js';
import { emitFindings } from './prepare-job.js';

/** What only all imports of a plan together tell of one of them. What was settled before has nothing new to say. */
export async function crossCheckJobs(jobs: readonly Job[], host: Host): Promise<readonly Job[]> {
  const checked = new Map(jobs.map((job) => [checkedOf(job), job]));
  const found = await crossCheck([...checked.keys()]);
  return [...checked].map(([one, job]) => {
    const findings = found.get(one);
    const { state } = job.facts;
    if (findings === undefined || isDealtWith(state, job.facts)) return job;
    emitFindings(job, addFindings(findings), host);
    const accepted = specOf(job).failOn === 'warning' ? 'no' : job.facts.findings.accepted;
    return { ...job, facts: { ...job.facts, findings: { ...job.facts.findings, accepted } } };
  });
}

const checkedOf = (job: Job): CheckedImport => ({ prepared: job.prepared, definition: definitionOf(job) });

function addFindings(findings: readonly Finding[]): FindingSummary {
  const collector = collectFindings(findings.length);
  for (const finding of findings) collector.add(finding);
  return collector.findings();
}
