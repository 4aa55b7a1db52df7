import { isOpenOrSettled } from '#core/engine/settled-jobs.js';
import type { Finding, FindingSummary } from '#core/model/findings.js';
import { comesAfter } from '#core/model/import-resources.js';
import type { Host } from '#project/host.js';
import { collectFindings } from '../bulk/preflight/collect-findings.js';
import { type CheckedImport, crossCheck } from '../bulk/preflight/cross-check.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from './job.js';
import { emitFindings } from './prepare-job.js';
import { importsToFollow } from './same-records.js';

/**
 * Checks the imports of a plan against each other: which others each comes after, and items that it refers to and that
 * no list has. Imports that were settled before get no new findings.
 */
export async function crossCheckJobs(jobs: readonly Job[], host: Host): Promise<readonly Job[]> {
  const byCheck = new Map(jobs.map((job) => [checkedOf(job), job]));
  const checked = await crossCheck([...byCheck.keys()]);
  const followed = await importsToFollow(jobs);
  return [...byCheck].map(([one, job]) => {
    const { findings = [], apart = new Set() } = checked.get(one) ?? {};
    const before = [...byCheck].flatMap(([other, it]) =>
      apart.has(other) || !isBefore(it, job) ? [] : [it.facts.address],
    );
    const earlier = followed.get(job)?.facts.address;
    const facts = { ...job.facts, needs: earlier === undefined ? before : [...before, earlier] };
    if (findings.length === 0 || isOpenOrSettled(facts.state, facts)) return { ...job, facts };
    emitFindings(job, addFindings(findings), host);
    const accepted = jobSpec(job).failOn === 'warning' ? 'no' : facts.findings.accepted;
    return { ...job, facts: { ...facts, findings: { ...facts.findings, accepted } } };
  });
}

/** Rows that refer to records of another import of the plan come after it. */
const isBefore = (other: Job, job: Job): boolean => comesAfter(job.prepared.resource, other.prepared.resource);

/** An item is in a list of the plan even if its row needs no sending. */
const checkedOf = (job: Job): CheckedImport => ({ prepared: allRowsOf(job), definition: jobDefinition(job) });

function addFindings(findings: readonly Finding[]): FindingSummary {
  const collector = collectFindings(findings.length);
  for (const finding of findings) collector.add(finding);
  return collector.findings();
}
