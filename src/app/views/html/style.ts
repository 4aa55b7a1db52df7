/** The style of a plan's page, in addition to the common style. */
export const STYLE = `
.dim, .place { color: var(--dim); } .doubtful { color: var(--doubt); }
.problems { margin: 0; padding: 0; list-style: none; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.problems li { padding: 8px 12px; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; white-space: pre-wrap; }
.problems li:last-child { border-bottom: 0; }
.problems .error b { color: var(--bad); } .problems .warning b { color: var(--doubt); }
.wave { margin: 0 0 6px; } .wave summary { padding: 8px 0; cursor: pointer; }
.wave td { white-space: pre-wrap; } .wave .good { color: var(--good); } .wave .error { color: var(--bad); } .wave .warning { color: var(--doubt); }
code, .place { font-family: ui-monospace, monospace; font-size: 13px; }
.graph.across { max-height: 480px; overflow: auto; } .graph.down { display: none; }
.graph svg { display: block; max-width: none; }
.graph.down svg { max-width: 100%; height: auto; }
.node { cursor: pointer; --tone: var(--mark); }
.node rect { fill: var(--sheet); stroke: var(--tone); stroke-width: 1.5; }
.node text { fill: var(--ink); font-size: 13px; }
.node:focus-visible { outline: none; } .node:focus-visible rect, .node:hover rect { stroke-width: 3; }
.edges path { fill: none; stroke: var(--dim); stroke-width: 1.2; opacity: .7; }
.act-create { --tone: var(--good); } .act-update, .act-rename, .act-changed, .act-renamed { --tone: var(--doubt); }
.act-delete, .act-retire, .act-replace, .act-blocked, .act-deleted, .act-replaced { --tone: var(--bad); }
.act-manual { --tone: var(--doubt); }
#pages { display: contents; }
#list details { margin: 0 0 6px; background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--tone, var(--mark)); border-radius: 6px; }
#list summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere; }
#list summary .what { color: var(--tone, var(--mark)); font-weight: 600; }
#list summary .paths { color: var(--dim); }
#list .body { padding: 0 12px 12px; }
#list .body p { margin: 4px 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
.diff { table-layout: fixed; } .diff th:first-child { width: 22%; }
.diff td { border-bottom: 0; padding: 1px 8px; white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: 13px; }
.diff tr.first td { border-top: 1px solid var(--line); padding-top: 6px; }
.diff .gone { background: color-mix(in srgb, var(--bad) 10%, transparent); }
.diff .come { background: color-mix(in srgb, var(--good) 10%, transparent); }
.diff mark { color: inherit; border-radius: 2px; }
.diff .gone mark { background: color-mix(in srgb, var(--bad) 35%, transparent); }
.diff .come mark { background: color-mix(in srgb, var(--good) 35%, transparent); }
@media (max-width: 640px) {
  main { padding: 16px 10px; }
  .graph.across { display: none; } .graph.down { display: block; }
  .diff, .diff thead, .diff tbody { display: block; } .diff tr { display: grid; grid-template-columns: 1fr 1fr; }
  .diff th:first-child { display: none; } .diff td.field { grid-column: 1 / -1; } .diff tr:not(.first) td.field { display: none; }
  .diff tr.first td.field ~ td { border-top: 0; padding-top: 1px; }
}
`;
