import type { ExportedReviews } from '../../operations/export-reviews.js';
import type { SignedForPage } from '../../operations/sign-for-page.js';
import type { PlanVerification } from '../../operations/verify-plan.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { forgesText, verdictText } from './review-text.js';

/** What the signatures of a plan and of the verdicts on it prove. */
export function planVerificationText(found: PlanVerification, palette: Palette): string {
  const { file, digest, changes, environment, workspace, signedBy, verdicts, source, missing, isRejected, forges } =
    found;
  const rows = [
    ['for', `environment ${environment} (workspace "${workspace.name}", ${workspace.identity})`],
    ['digest', `${digest}, unchanged since it was saved`],
    ['changes', changes],
    ...(signedBy === undefined ? [] : [['signature', `by the key ${signedBy}`]]),
    ...(verdicts.length === 0 ? [['verdicts', 'none is signed']] : []),
    ...verdicts.map((one, index) => [index === 0 ? 'verdicts' : '', verdictText(one)]),
  ];
  const head = rows.map(([name = '', value = '']) => `  ${palette.dim(name.padEnd(9))}  ${value}\n`).join('');
  const end =
    source === undefined
      ? `No approvals are asked for in environment ${environment}.`
      : isRejected
        ? palette.red('The plan is rejected.')
        : missing === undefined
          ? palette.green(`The plan has the approvals that \`reviews\` of ${source} asks for.`)
          : palette.yellow(`The plan has ${missing} that \`reviews\` of ${source} asks for.`);
  return `${palette.bold(file)}\n${head}${end}${forgesText(forges)}\n`;
}

/** The files with verdicts, and how to check them. */
export const exportedReviewsText = ({ of, folder, verdicts, check }: ExportedReviews): string =>
  `Wrote ${countText(verdicts, 'verdict')} on ${/^\d/.test(of) ? `apply ${of}` : of} to ${folder}. Check with: ${check}\n`;

/** A verdict that was signed here and that the page recorded. */
export function signedForPageText(
  { verdict, signer, name, environment, missing }: SignedForPage,
  palette: Palette,
): string {
  const line = `${verdict === 'approved' ? 'Approved' : 'Rejected'} by ${signer}: ledger:${name} of environment ${environment}, as the page recorded it.`;
  const left =
    verdict === 'rejected'
      ? ''
      : missing === undefined
        ? 'The plan has the approvals that it needs.\n'
        : `The plan has ${missing}.\n`;
  return `${verdict === 'approved' ? palette.green(line) : palette.yellow(line)}\n${left}`;
}
