import type { Report } from '#app/views/report/report.js';
import { addressOf } from '#core/model/address.js';

/** The elements of every page. */
export const PAGE_ELEMENTS: readonly string[] = [
  ...[
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'main',
    'script',
    'header',
    'section',
    'h1',
    'h2',
    'p',
    'ul',
    'li',
  ],
  ...['b', 'span', 'dl', 'dt', 'dd', 'code', 'form', 'label', 'input', 'select', 'option', 'button', 'div', 'noscript'],
];

/** What data may hold that means something to a reader of some format. */
export const HOSTILE: readonly (readonly [what: string, text: string])[] = [
  ['an HTML image', '<img src=x onerror=alert(1)>'],
  ['the end of the element around it', '</summary></details></code><script>alert(1)</script>'],
  ['an HTML comment and its end', '<!-- dexsync plan prod --> x'],
  ['character references', '&lt;b&gt; &#60;i&#62; &amp;'],
  ['cells of a table', 'a | b || c'],
  ['runs of backticks', '`x` ``` ````` y ~~~'],
  ['a link, an image, a reference', '[x](https://evil.example) ![i](//evil.example/i.png) [ref]: /url [a]'],
  ['a heading and rules on lines of their own', 'x\n# heading\n\n---\n===\n## another\n\n    code'],
  ['a fence on a line of its own', 'x\n```\n~~~~\n# out of it\n```\n'],
  ['a list, a quote, a table on lines of their own', 'x\n\n- item\n\n1. one\n\n> quote\n\n| a |\n|---|\n| b |'],
  ['emphasis', '**b** _e_ __b__ *e* ~~s~~ ~s~'],
  ['mentions', '@team @org/team ann@example.com'],
  ['addresses', 'https://evil.example http://a.example www.evil.example ftp://x mailto:a@b.example'],
  [
    'references of GitHub and GitLab',
    '#12 !3 $4 %5 ~label ~"two words" %"m" &6 GH-12 org/repo#1 :smile: [vulnerability:1]',
  ],
  ['formulas', '$x^2$ $$y$$ =cmd|"/c calc"!A1 +1 -1 @SUM(A1)'],
  ['backslashes', '\\<b\\> \\\\`'],
  ['characters that XML cannot contain', 'a\u0000\u0007\u000b\ufffe\uffff\ud800b\udc00'],
  ['the end of CDATA, quotes', `]]> "double" 'single' & <![CDATA[`],
  ['escape sequences of terminals', '\u001b[31mred\u001b]8;;https://evil.example\u0007link\u009b2J'],
  ['marks of direction', '\u202egnp.exe\u2066\u200f'],
  ['workflow commands', 'x\n::error file=a.yaml,line=1::injected\r\n::set-output name=a::b\n##[error]c'],
  ['separators of properties', 'a::b,c=d%0A%25:e,file=x'],
  ['many characters', 'long <b>|`@x` '.repeat(400)],
];

/** A report that has the text wherever data can get into one. */
export function hostileReport(text: string, command = 'plan'): Report {
  const address = addressOf('UserGroup', text);
  const origin = { file: `manifests/${text}.yaml`, line: 3, column: 5, layer: 'base' };
  const fields = [
    { path: `description[${text}]`, before: text, after: `${text} changed`, cause: 'both' },
    { path: 'list', after: [text, { [text]: text }] },
  ];
  const step = (action: string, more: object = {}) => ({
    ...{
      address,
      action,
      reason: 'differs',
      message: text,
      fields,
      writes: [],
      dependsOn: [],
      fingerprint: 'x',
      origin,
    },
    audit: { changedBy: text },
    ...more,
  });
  const finding = { severity: 'error', code: 'cell-invalid', message: text, hint: text, file: `${text}.csv`, row: 4 };
  const error = { row: 4, key: text, column: text, value: text, code: 3001, message: text, cause: text, doubt: text };
  const group = { code: 3001, message: text, count: 9, explanation: text, advice: text, samples: [] };
  const report = {
    setting: SETTING,
    diagnostics: [{ severity: 'error', code: 'field-unknown', message: text, hint: text, origin }],
    findings: [
      { type: 'findings', address, findings: { kept: [finding], groups: [], errors: 5, warnings: 0, byCode: {} } },
    ],
    planned: {
      type: 'plan',
      reset: null,
      applier: { ...hostileProvenance(`2${text}`), planned: { provenance: hostileProvenance(text) } },
      plan: {
        ...{ workspace: { name: text }, environment: text, stack: text, requests: PRICE, summary: { update: 1 } },
        steps: [
          step('update', { preview: hostilePreview(text) }),
          step('blocked', { address: addressOf('Policy', text) }),
          step('manual'),
        ],
        provenance: hostileProvenance(text),
        guards: [{ guard: 'rule', rule: text, severity: 'warn', message: text, addresses: [address] }],
        notes: [{ code: 'not-owned', message: text, addresses: [address] }],
      },
    },
    drift: {
      ...{ workspace: text, environment: text, asked: [], unknown: [], requests: 1 },
      objects: [
        { address, what: 'changed', fields: [{ path: text, applied: text, now: text }], changedBy: text, origin },
      ],
    },
    compared: {
      ...{ from: { environment: text, workspace: text }, to: { environment: `${text}2`, workspace: text } },
      ...{ kinds: ['UserGroup'], equal: 1, findings: [], requests: 1 },
      objects: [{ address, what: 'different', fields: [{ path: text, before: text, after: `${text} changed` }] }],
    },
    steps: [
      {
        type: 'step',
        address,
        action: 'update',
        status: { is: 'failed', code: 'SERVICE_ERROR', message: text, hint: text },
      },
    ],
    rows: [
      {
        ...{ type: 'rows', address, file: `${text}.csv` },
        outcome: {
          outcome: 'committed',
          runs: [],
          errors: { count: 9, kept: [error], groups: [group] },
          findings: [finding],
        },
      },
    ],
    ...{ settled: [], sent: [], exitCode: 4 },
    reviewed: [{ type: 'reviewed', plan: brief(text), is: 'applied first' }],
    failure: { code: 'NETWORK', message: text, hint: text, exitCode: 1 },
  };
  return { ...report, setting: { ...SETTING, command, environment: text } } as unknown as Report;
}

/** A report that is long everywhere needs the room for the rest of it. */
const brief = (text: string): string => (text.length > 1000 ? 'long' : text);

function hostileProvenance(all: string) {
  const text = brief(all);
  return {
    actor: { login: text, user: text },
    git: { repository: text, commit: text, branch: text, dirty: 'yes' },
    ci: { name: text, url: text, by: text },
  };
}

const hostilePreview = (text: string) => ({
  ...{ with: 'last import', by: text, why: text, requests: 1, since: { runs: text, at: text }, digest: 'x' },
  counts: { new: 1, changed: 1, cells: 1, unchanged: 0, removed: 1, gone: 1, refused: 1, notCompared: 0 },
  columnsNotCompared: [text],
  rows: (['new', 'changed', 'removed', 'gone', 'refused'] as const).map((change, index) => ({
    ...{ change, row: index + 2, key: [text, `${index}${text}`] },
    ...(change === 'refused' ? { why: text } : { cells: [{ column: text, before: text, after: `${text}2` }] }),
  })),
});

const PRICE = { used: 1, apply: { min: 1, max: 2 }, remaining: 1 };

export const SETTING: Report['setting'] = {
  ...{ command: 'plan', version: '0.1.0', at: '2026-11-22T10:11:12.000Z', environment: 'prod' },
  ...{ root: '/repo', here: 'plm', project: 'plm', config: 'plm/sync.config.yaml' },
  noFiles: ['<stdin>', 'command line', 'ledger'],
};

/** A report of a command that found nothing. */
export const emptyReport = (more: object = {}): Report =>
  ({
    ...{ setting: SETTING, diagnostics: [], findings: [], steps: [], rows: [], settled: [], sent: [] },
    ...{ reviewed: [], exitCode: 0 },
    ...more,
  }) as Report;

/** A report of a plan with these steps. */
export function planReport(steps: readonly object[], more: object = {}): Report {
  const actions = steps.map((step) => (step as { action: string }).action);
  const summary = Object.fromEntries(actions.map((one) => [one, actions.filter((other) => other === one).length]));
  const whole = steps.map((step) => ({
    ...{ reason: 'differs', message: 'It differs.', fields: [], writes: [], dependsOn: [], fingerprint: 'x' },
    origin: { file: 'manifests/a.yaml', line: 2, column: 1, layer: 'base' },
    ...step,
  }));
  const plan = {
    ...{ workspace: { name: 'Works' }, environment: 'prod', stack: 's', requests: { ...PRICE, remaining: null } },
    ...{ summary, steps: whole, guards: [], notes: [], ...more },
  };
  return emptyReport({ planned: { type: 'plan', plan, reset: null } });
}
