import { type Asked, type Described, described } from '../documented/described.js';
import { findRecord, readRecord } from '../family/records.js';
import { parseSearch } from '../rules/search.js';
import { SESSION_MS } from '../rules/sessions.js';
import { type List, selectPage, text } from '../store/select.js';
import { accountByEmail, personByGuid } from '../store/users.js';
import { exportDefinitions } from './export-definitions.js';
import { type ExportRun, exportRuns } from './export-runs.js';
import { files } from './files.js';
import { markups } from './markups.js';

const SEARCH = { dateTimeFrom: 'dateTimeFrom', dateTimeTo: 'dateTimeTo' } as const;

const timeOf = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`;

const between = (column: string) => ({ dateTimeFrom: column, dateTimeTo: column });

/** The requests of a user, of which none came later after another than a session lives (INFERRED). */
const accessList: List<{ readonly email: string; readonly from: string; readonly to: string }> = {
  select: `SELECT email, ${timeOf('first')} AS first_time, ${timeOf('last')} AS last_time FROM (
    SELECT email, min(at) AS first, max(at) AS last FROM (
      SELECT email, at, sum(is_first) OVER (PARTITION BY email ORDER BY seq) AS access FROM (
        SELECT seq, email, at, at - lag(at, 1, 0) OVER (PARTITION BY email ORDER BY seq) > ${SESSION_MS} AS is_first
        FROM api_usages)) GROUP BY email, access)`,
  columns: between(timeOf('first')),
  order: 'first',
  read: (row) => ({ email: text(row, 'email'), from: text(row, 'first_time'), to: text(row, 'last_time') }),
};

/** The contents of files that were read. */
const readList: List<{ readonly email: string; readonly at: string; readonly path: string }> = {
  select: `SELECT email, ${timeOf('at')} AS at_time, path FROM api_usages`,
  columns: between(timeOf('at')),
  order: 'seq',
  read: (row) => ({ email: text(row, 'email'), at: text(row, 'at_time'), path: text(row, 'path') }),
};

const CONTENT_READS = { sql: "method = 'GET' AND status = 200 AND path LIKE '/files/%/content'", values: [] };

/** A person as the log of requests names one: by an address, which nobody may have now. */
function personBy({ workspace }: Asked, email: string): object {
  const { guid, fullName } = accountByEmail(workspace.settings, email) ?? { guid: '', fullName: null };
  return { guid, fullName, email };
}

function showAccess(asked: Asked, { email, from, to }: ReturnType<typeof accessList.read>): object {
  return {
    ...{ loginDateTime: from, logoutDateTime: to, duration: Math.round((Date.parse(to) - Date.parse(from)) / 60_000) },
    ...{ connectedThrough: 'ARENA_PLM', domain: asked.workspace.name, originatingIp: '127.0.0.1' },
    user: personBy(asked, email),
  };
}

function showRead(asked: Asked, { email, at, path }: ReturnType<typeof readList.read>): object {
  const { settings } = asked.workspace;
  const [, guid = '', drawn] = /^\/files\/(\w+)(?:\/markups\/(\w+))?/.exec(path) ?? [];
  const { fields, title = null, name = null } = readRecord(settings, files, guid) ?? {};
  const markup = drawn === undefined ? undefined : settings.get(markups.byGuid, drawn);
  const own = markup && (JSON.parse(text(markup, 'fields')) as { readonly markup: object }).markup;
  return {
    ...{ activity: 'DOWNLOAD', comments: null, dateTime: at },
    file: {
      ...{ guid, title, name, edition: fields?.edition ?? null, user: personBy(asked, email) },
      markup: drawn === undefined ? null : { name: null, title: null, ...own, guid: drawn },
    },
  };
}

function showExport({ workspace }: Asked, run: ExportRun): object {
  const { creationDateTime: dateTime, criteriaResultsCount: numberOfResources, creator, definition } = run;
  const { name: configuration, world: type } = findRecord(workspace, exportDefinitions, definition);
  const user = personByGuid(workspace.settings, creator);
  return { configuration, dateTime, numberOfResources, type, user };
}

const ACTIVITIES = 'GET /settings/recentactivities';

/** What users did lately (wire-facts 7): logins and contents from the log of requests, and runs of exports. */
export const recentActivities: readonly Described[] = [
  described(`${ACTIVITIES}/useraccesses`, 'List when users were logged in', (asked) => {
    const found = selectPage(asked.workspace.usage, accessList, parseSearch(asked.query, SEARCH));
    return found.map((access) => showAccess(asked, access));
  }),
  described(`${ACTIVITIES}/fileaccesses`, 'List the contents of files that users read', (asked) => {
    const found = selectPage(asked.workspace.usage, readList, parseSearch(asked.query, SEARCH), CONTENT_READS);
    return found.map((read) => showRead(asked, read));
  }),
  described(`${ACTIVITIES}/exports`, 'List the runs of exports', (asked) => {
    const list = { ...exportRuns.rows, columns: between('t.created'), read: exportRuns.read };
    const found = selectPage(asked.workspace.settings, list, parseSearch(asked.query, SEARCH));
    return found.map((run) => showExport(asked, run));
  }),
  described(`${ACTIVITIES}/reportruns`, 'List the runs of reports', ({ query }) => {
    // Only the service's own pages have reports.
    parseSearch(query, SEARCH);
    return [];
  }),
];
