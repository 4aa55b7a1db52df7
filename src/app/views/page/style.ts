/** The style of the pages of the server, in addition to the common style. */
export const SERVED_STYLE = `
body { font-size: 14px; }
main { max-width: 1760px; padding: 16px 20px 32px; }
main.message { max-width: 560px; padding-top: 12vh; } .message p { margin: 10px 0; }
a { color: var(--mark); text-decoration: none; }
main a { text-decoration: underline 1px color-mix(in srgb, currentColor 30%, transparent); text-underline-offset: 2px; } main a:hover { text-decoration-color: currentColor; }
code { font: 12.5px ui-monospace, monospace; overflow-wrap: anywhere; } q { font-style: italic; }
.dim { color: var(--dim); } .note { margin: 0 0 8px; color: var(--dim); } .empty { color: var(--dim); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -999px; } .skip:focus { left: 8px; top: 8px; z-index: 3; padding: 6px 10px; background: var(--sheet); }
h1 { font-size: 20px; margin: 2px 0 10px; } h1 .dim { font-weight: 400; font-size: 15px; } h2 { font-size: 15px; margin: 24px 0 8px; }
dl { grid-template-columns: minmax(90px, max-content) 1fr; }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 20px; padding: 0 20px; min-height: 44px; background: var(--sheet); border-bottom: 1px solid var(--line); }
.top .brand { color: var(--ink); font-weight: 700; max-width: 30ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.top nav { display: flex; gap: 2px; flex: 1; overflow-x: auto; scrollbar-width: none; }
.top nav a { padding: 11px 10px 9px; color: var(--dim); white-space: nowrap; border-bottom: 2px solid transparent; }
.top nav a[aria-current] { color: var(--ink); border-color: var(--mark); font-weight: 600; } .top nav a:hover { color: var(--ink); text-decoration: none; }
.top form { display: flex; align-items: center; gap: 10px; color: var(--dim); }
.person { max-width: 26ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button, .button { padding: 3px 10px; } .button { display: inline-block; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; } main .button { text-decoration: none; } .button:hover { border-color: var(--dim); } .top button { font-size: 13px; }
button.doubt { color: var(--doubt); border-color: var(--doubt); } button.bad { color: var(--bad); border-color: var(--bad); }
.count { display: inline-block; min-width: 18px; padding: 0 5px; border-radius: 9px; background: var(--line); color: var(--ink); font-size: 12px; font-weight: 600; text-align: center; }
.totals { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 10px; }
.totals a { text-decoration: none; padding: 4px 12px 5px; color: var(--dim); background: var(--sheet); border: 1px solid var(--line); border-radius: 7px; }
.totals a b { color: var(--ink); font-size: 17px; font-variant-numeric: tabular-nums; margin-right: 2px; }
.totals .doubt b { color: var(--doubt); } .totals .bad b { color: var(--bad); }
.totals a[aria-current] { border-color: var(--mark); box-shadow: inset 0 0 0 1px var(--mark); color: var(--ink); } .totals a:hover { text-decoration: none; border-color: var(--dim); }
.search, .actions form[role=search] { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 0 0 10px; color: var(--dim); }
.path { margin: 0; color: var(--dim); } .path + * h1 { margin-top: 0; }
input, select { height: 29px; padding: 2px 8px; } input[type=checkbox], input[type=radio] { height: auto; vertical-align: -1px; } .search input { width: 240px; } .search #count { margin: 0 0 0 4px; font-weight: 400; }
.dense { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; border-collapse: separate; border-spacing: 0; font-size: 13px; line-height: 1.35; }
.dense th, .dense td { padding: 5px 10px; border-bottom: 1px solid var(--line); }
.dense tbody tr:last-child > * { border-bottom: 0; } .dense tbody tr:hover > * { background: color-mix(in srgb, var(--mark) 6%, transparent); }
.dense thead th { position: sticky; top: 44px; z-index: 1; background: var(--sheet); font-size: 12px; border-radius: 8px 8px 0 0; }
.dense tbody th { color: var(--ink); font-weight: 500; white-space: normal; min-width: 120px; max-width: 320px; }
.dense .dim { font-size: 12px; } .dense .waits th { box-shadow: inset 3px 0 var(--doubt); }
.dense .lock { display: inline-block; max-width: 22ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
.wide .dense { border: 0; } .wide .dense thead th { position: static; }
.sheet { width: auto; min-width: 100%; } .sheet tbody th { position: sticky; left: 0; min-width: 0; background: var(--sheet); font-variant-numeric: tabular-nums; } .dense.sheet .value { min-width: 10ch; max-width: 32ch; }
.sheet .wrong { min-width: 300px; max-width: 420px; } .wrong p { margin: 0; } .wrong p + p { margin-top: 5px; } .advice { display: block; color: var(--mark); font-size: 12px; }
.sheet .failed { background: color-mix(in srgb, var(--bad) 14%, transparent); box-shadow: inset 0 0 0 1.5px var(--bad); border-radius: 3px; } .sheet .gap { color: var(--dim); background: color-mix(in srgb, var(--line) 35%, transparent); padding: 5px 4px; }
.causes .chosen > * { background: color-mix(in srgb, var(--mark) 12%, transparent); } .causes td:nth-child(n + 2) { width: 32%; }
.plain { margin: 0; padding: 0; list-style: none; } .doubtful { color: var(--doubt); }
details summary { cursor: pointer; } details dl { margin: 8px 0; } .values { display: flex; flex-wrap: wrap; gap: 4px 8px; margin: 0; padding: 0; list-style: none; } .values li { padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); overflow-wrap: anywhere; }
.overview { display: flex; flex-wrap: wrap; gap: 10px 28px; align-items: center; } .overview .tiles { margin: 0; } .overview dl { flex: 1 1 420px; } .overview + * { margin-top: 0; } .report h2 { margin-top: 18px; scroll-margin-top: 56px; } .report > p { margin: 6px 0; } .imports td:nth-child(n + 2):nth-child(-n + 6) { white-space: nowrap; } .tiles { gap: 6px; } .tiles li { min-width: 96px; padding: 6px 12px; } .tiles b { font-size: 19px; } .pages { margin: 8px 0; }
.dense .value { white-space: pre-wrap; max-width: 60ch; }
.list th { width: 22%; } .list td { width: 39%; }
.tag { display: inline-block; max-width: 100%; padding: 0 6px; border-radius: 4px; font-size: 12px; line-height: 18px; --tone: var(--dim); color: color-mix(in srgb, var(--tone) 75%, var(--ink)); background: color-mix(in srgb, var(--tone) 12%, transparent); }
.tag.good { --tone: var(--good); } .tag.doubt { --tone: var(--doubt); } .tag.bad { --tone: var(--bad); }
.bar { display: block; width: 100%; min-width: 120px; height: 10px; border-radius: 3px; background: var(--line); }
.counts { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 8px 0; padding: 0; list-style: none; } .counts i { display: inline-block; width: 9px; height: 9px; margin-right: 6px; border-radius: 2px; }
.is-done { fill: var(--good); background: var(--good); } .is-failed, .is-unknown { fill: var(--bad); background: var(--bad); }
.is-deferred, .is-begun { fill: var(--doubt); background: var(--doubt); } .is-gone, .is-waiting { fill: var(--line); background: var(--dim); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; align-items: flex-start; margin: 14px 0; } .actions form { margin: 0; }
.action summary { display: inline-block; padding: 3px 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); cursor: pointer; list-style: none; }
.action[open] { flex-basis: 100%; } .action form { max-width: 560px; margin-top: 8px; padding: 12px 14px; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.action p { margin: 0 0 10px; } .action label { display: block; margin: 0 0 10px; color: var(--dim); } .action label input:not([type]) { display: block; width: 100%; }
.timeline { margin: 8px 0 0; padding: 0; list-style: none; }
.timeline li { position: relative; padding: 0 0 14px 24px; } .timeline p { margin: 0; overflow-wrap: anywhere; }
.timeline li::before { content: ""; position: absolute; left: 2px; top: 5px; width: 10px; height: 10px; border-radius: 50%; background: var(--dim); }
.timeline li:not(:last-child)::after { content: ""; position: absolute; left: 6px; top: 19px; bottom: -2px; width: 2px; background: var(--line); }
.timeline .good::before { background: var(--good); } .timeline .bad::before { background: var(--bad); }
pre { max-width: 100%; overflow-x: auto; margin: 0 0 14px; padding: 10px 12px; font: 12.5px/1.45 ui-monospace, monospace; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
textarea { display: block; box-sizing: border-box; width: 100%; max-width: 640px; margin-top: 4px; padding: 8px 10px; font: 12.5px/1.45 ui-monospace, monospace; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; }
.action .choice { display: inline-block; margin-right: 18px; color: var(--ink); }
footer { margin-top: 18px; color: var(--dim); font-size: 12.5px; } footer p { margin: 0; }
@media (max-width: 760px) {
  main { padding: 12px 10px 24px; } .top { position: static; padding: 6px 10px 0; gap: 0 12px; } .top nav { order: 3; flex-basis: 100%; margin: 0 -7px; } .top nav { gap: 0; } .top nav a { padding: 8px 6px 7px; font-size: 13px; } .top form { margin-left: auto; }
  .person { max-width: 16ch; } .search input { flex: 1; width: auto; min-width: 120px; }
  .dense, .dense tbody, .dense tr, .dense th, .dense td { display: block; width: auto; max-width: none; } .dense thead { display: none; }
  .dense th, .dense td { padding: 2px 10px; border: 0; } .dense tbody th { padding-top: 8px; font-weight: 600; } .dense tr { border-bottom: 1px solid var(--line); padding-bottom: 8px; }
  .dense tr:last-child { border-bottom: 0; } .dense td.none { display: none; } .dense .number { text-align: left; } .dense.sheet .value { max-width: none; } .sheet tbody th::before { content: "Row "; } .sheet .wrong { min-width: 0; max-width: none; } .dense .lock { max-width: 100%; white-space: normal; }
  .dense td[data-label]::before { content: attr(data-label) " "; color: var(--dim); font-size: 12px; margin-right: 4px; }
}
`;
