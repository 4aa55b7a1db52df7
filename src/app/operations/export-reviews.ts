import { resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import type { SignedVerdict } from '#core/model/verdict.js';
import { type OpenedVerdict, openVerdicts } from '#core/reviews/open-verdicts.js';
import { namespaceOf } from '#core/reviews/statement.js';
import { nameInLedger } from '#delivery/planfile/plan-reference.js';
import { readPlan } from '#delivery/planfile/read-plan.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { allowedSignersText } from '#project/reviews/find-policies.js';
import { showApply } from './show-apply.js';
import { type NewFile, type WrittenFile, writeNewFiles } from './write-new-files.js';

/** Whose verdicts to export, and where to. */
export interface ExportReviewsOptions extends Pick<ProjectOptions, 'config' | 'environment'> {
  /** `ledger:NAME`, or the number of an apply in the history. */
  readonly of: string;
  /** A new folder, or one without such files. */
  readonly out: string;
}

/** The files of a bundle. */
export interface ExportedReviews {
  readonly of: string;
  readonly folder: string;
  readonly verdicts: number;
  readonly files: readonly WrittenFile[];
  /** The command that checks it. */
  readonly check: string;
}

/** Writes verdicts as files that `ssh-keygen` checks alone. Throws UNKNOWN_NAME if there are none, and USAGE. */
export async function exportReviews(options: ExportReviewsOptions, host: Host): Promise<ExportedReviews> {
  const { of, out } = options;
  const verdicts = await verdictsIn(options, host);
  const opened = openVerdicts(verdicts).flatMap((one) => ('statement' in one ? [one] : []));
  if (opened.length === 0)
    throw new DexsyncError('UNKNOWN_NAME', `${of} has no signed verdicts to export.`, {
      hint: '`dexsync plan review` signs them where the configuration has `reviews`.',
    });
  const config = await openConfig(options, host);
  const files: NewFile[] = opened.flatMap(({ signed }, index) => [
    { file: `${index + 1}.json`, content: signed.statement },
    { file: `${index + 1}.sig`, content: signed.signature },
  ]);
  files.push({ file: 'allowed_signers', content: await allowedSignersText(config, host) });
  files.push({ file: 'verify.sh', content: scriptOf(opened) });
  const folder = resolve(host.cwd, out);
  const written = await writeNewFiles(files, folder, host);
  return {
    of,
    folder: out,
    verdicts: opened.length,
    files: written,
    check: `sh ${shellWord(`${out.startsWith('-') ? './' : ''}${out}/verify.sh`)}`,
  };
}

async function verdictsIn({ of, ...place }: ExportReviewsOptions, host: Host): Promise<readonly SignedVerdict[]> {
  if (/^\d+$/.test(of))
    return (await showApply({ ...place, number: Number(of) }, host)).apply?.reviewed?.verdicts ?? [];
  if (nameInLedger(of) === undefined)
    throw new DexsyncError('USAGE', `${of} is neither a plan of the ledger nor the number of an apply.`, {
      hint: 'Write ledger:NAME, or a number that `dexsync history` shows.',
    });
  const { stored } = await readPlan(of, host, place);
  return (stored?.reviews ?? []).flatMap(({ signed }) => signed ?? []);
}

const scriptOf = (verdicts: readonly OpenedVerdict[]): string => {
  const checks = verdicts.map(({ statement }, index) => {
    const { signer, verdict, subject, at } = statement;
    const time = at.replaceAll(/[-T:]/g, '').replace(/\..*/, 'Z');
    const options = [`-I ${shellWord(signer)}`, `-n ${namespaceOf(statement)}`, `-O verify-time=${shellWord(time)}`];
    const what = shellWord(`${index + 1}: ${verdict} by ${signer} at ${at}, about the changes ${subject}`);
    return `echo ${what}\nssh-keygen -Y verify -f allowed_signers ${options.join(' ')} -s ${index + 1}.sig < ${index + 1}.json || failed=1\n`;
  });
  return `#!/bin/sh\n# Checks with OpenSSH alone who signed these verdicts. That they counted is what dexsync decides.\ncd "$(dirname "$0")" || exit 1\nfailed=0\n${checks.join('')}exit $failed\n`;
};
