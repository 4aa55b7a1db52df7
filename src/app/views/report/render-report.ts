import { toPrintable } from '#base/printable.js';
import { githubCommands } from '../github.js';
import { gitlabIssues } from '../gitlab.js';
import { htmlReport } from '../html.js';
import { junitXml } from '../junit.js';
import { markdownReport } from '../markdown.js';
import { sarifLog } from '../sarif.js';
import type { ReportFormat } from './formats.js';
import type { Report } from './report.js';

/** Renderers of all formats but `json`, which is the document of the command itself. */
const RENDERERS: Readonly<Record<Exclude<ReportFormat, 'json'>, (report: Report) => string>> = {
  md: markdownReport,
  html: htmlReport,
  junit: junitXml,
  sarif: sarifLog,
  github: githubCommands,
  gitlab: gitlabIssues,
};

/**
 * Renders a report in one format. Shows control characters and marks that change the direction of text by their codes,
 * since readers may print them.
 */
export const renderReport = (format: Exclude<ReportFormat, 'json'>, report: Report): string =>
  RENDERERS[format](toPrintable(report));
