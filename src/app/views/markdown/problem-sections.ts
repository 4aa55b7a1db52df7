import type { Step } from '#core/model/plan.js';
import { rowPhrase } from '../human/row-phrase.js';
import { fleetProblems, notesIn } from '../report/fleet-targets.js';
import { placeText } from '../report/place.js';
import { type Problem, problemText } from '../report/problem.js';
import { listProblems } from '../report/problems.js';
import type { Report } from '../report/report.js';
import { fieldDiff } from './diff-lines.js';
import { fenced, foldable, mdCode, mdText } from './escape.js';
import type { Item, Section } from './fit-comment.js';

/** Sections that a reader must not miss, for the place before all changes. */
export function problemSections(report: Report): Section[] {
  const problems = listProblems(report);
  const steps = new Map((report.planned?.plan.steps ?? []).map((step) => [step.address, step]));
  const about = (...which: readonly Problem['about'][]): Item[] =>
    problems.filter((problem) => which.includes(problem.about)).map((problem) => problemItem(problem, steps));
  return [
    { title: 'Blocked, manual and failed steps', items: about('step') },
    {
      title: 'Environments that need attention',
      items: fleetProblems(report, 'alike').map((problem) => problemItem(problem, steps)),
    },
    { title: 'Guards and rules', items: about('guard') },
    { title: 'Problems in manifests and files', items: about('diagnostic', 'finding') },
    { title: 'Failed rows', items: [...causeItems(report), ...about('row')] },
    { title: 'Notes', items: notesIn(report).map((message) => bullet(mdText(message))) },
  ];
}

const bullet = (text: string): Item => ({ full: `- ${text}\n`, line: `- ${text}\n` });

/** Length of a message in one line. */
const SHORT = 120;

function problemItem(problem: Problem, steps: ReadonlyMap<string, Step>): Item {
  const { level, code, place, message, address, about } = problem;
  const where = place === undefined ? '' : ` ${mdCode(placeText(place))}`;
  const head = `**${level}**${where}`;
  const line = `- ${head} ${mdText(message, SHORT)}\n`;
  const step = about === 'step' && address !== undefined ? steps.get(address) : undefined;
  if (step?.action === 'manual' && step.fields.length > 0) {
    const title = `<b>${level}</b>${where} ${mdText(message)}`;
    return { full: foldable(title, fenced('diff', fieldDiff(step.fields))), line };
  }
  return { full: `- ${head} ${mdText(problemText(problem))} (${mdCode(code)})\n`, line };
}

/** Number of causes shown; the import's own report counts the others. */
const MOST_CAUSES = 20;

/** Causes of failed rows, most frequent first. */
const causeItems = ({ rows }: Report): Item[] =>
  rows.flatMap(({ address, outcome }) =>
    outcome.errors.groups.slice(0, MOST_CAUSES).map(({ count, explanation, message, advice }) => {
      const head = `**${rowPhrase(count)}** of ${mdCode(address)}`;
      const texts = [explanation, message, advice].flatMap((text) => (text === undefined ? [] : [mdText(text)]));
      return { full: `- ${head}: ${texts.join(' ')}\n`, line: `- ${head}: ${mdText(explanation ?? message, SHORT)}\n` };
    }),
  );
