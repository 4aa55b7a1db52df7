/** Style of the page of changed rows, added to the common style. Marks and lines repeat what colours say. */
export const STYLE = `
main { max-width: 1680px; }
i { font-style: normal; font-weight: 700; font-family: ui-monospace, monospace; }
.notes { color: var(--doubt); }
.check { flex-direction: row !important; align-items: center; padding-bottom: 6px; color: var(--ink) !important; }
.legend { margin: 0 0 14px; } .legend summary { cursor: pointer; color: var(--dim); } .legend dl { margin: 6px 0 0; }
.is-new { color: var(--good); } .is-changed { color: var(--doubt); } .is-removed, .is-refused { color: var(--bad); }
.sheet { max-height: 78vh; overflow: auto; }
.sheet table { width: auto; min-width: 100%; border-collapse: separate; border-spacing: 0; font-size: 14px; }
.sheet th, .sheet td { padding: 4px 9px; border-right: 1px solid var(--line); }
.sheet td { max-width: 30em; white-space: pre-wrap; }
.sheet thead th { position: sticky; top: 0; z-index: 2; background: var(--ground); text-align: left; }
.sheet thead th small { display: block; font-weight: 400; }
.sheet .row { position: sticky; left: 0; z-index: 1; background: var(--sheet); text-align: left; font-weight: 400; border-right: 2px solid var(--line); }
.sheet thead .row { z-index: 3; background: var(--ground); }
.row .place { display: inline-block; min-width: 3.5em; text-align: right; font-variant-numeric: tabular-nums; color: var(--ink); }
.row i { display: inline-block; min-width: 1.2em; }
.row .own { display: none; color: var(--ink); font-weight: 600; overflow-wrap: anywhere; white-space: normal; }
.unused { color: var(--dim); }
td.cell { background: color-mix(in srgb, var(--doubt) 13%, transparent); box-shadow: inset 3px 0 0 var(--doubt); }
del { color: var(--bad); text-decoration: line-through; } ins { color: var(--good); text-decoration: underline; text-underline-offset: 2px; }
.to { color: var(--dim); } .none { color: var(--dim); font-style: italic; text-decoration: none; }
tr.new td.imported, tr.new td.key { background: color-mix(in srgb, var(--good) 11%, transparent); }
tr.removed td, tr.gone td { color: var(--dim); }
tr.removed td.cell { background: color-mix(in srgb, var(--bad) 10%, transparent); box-shadow: inset 3px 0 0 var(--bad); }
tr.refused td { background: color-mix(in srgb, var(--bad) 8%, transparent); }
tr.unchanged td { color: var(--dim); }
tr.why td { color: var(--bad); } tr.why td span, .group span { position: sticky; left: 9px; }
tr.group th { background: var(--ground); text-align: left; color: var(--ink); white-space: normal; } tr.group small { color: var(--dim); font-weight: 400; font-size: 13px; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 640px) { main { padding: 16px 8px 32px; } .sheet .row .own { display: block; } .sheet .key { display: none; }
  .sheet .row { min-width: 7.5em; max-width: 10em; white-space: normal; } .row .place { min-width: 0; } .sheet td { min-width: 9em; }
  .tiles { gap: 6px; } .tiles li { min-width: 0; padding: 5px 9px; } .tiles b { font-size: 18px; } dl { gap: 2px 10px; }
  .filter { display: grid; grid-template-columns: 1fr 1fr; } .filter select, .filter input[type=search] { width: 100%; } .filter .check { padding: 0; } }
`;
