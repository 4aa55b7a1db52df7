/** The style that all pages have. Uses the colours that the reader's system prefers. */
export const COMMON_STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --dim: #5b6575; --line: #d8dde5; --ground: #f6f7f9; --sheet: #fff;
  --good: #1a7f4b; --bad: #b3261e; --doubt: #8a5a00; --mark: #2457c5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --dim: #9aa5b5; --line: #343c49; --ground: #14181f;
  --sheet: #1c222b; --good: #5fce96; --bad: #ff8a80; --doubt: #f0b95b; --mark: #8db4ff; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { margin: 0; font-size: 24px; overflow-wrap: anywhere; }
h2 { margin: 32px 0 10px; font-size: 18px; }
.outcome { margin: 6px 0 16px; color: var(--bad); }
.outcome.good { color: var(--good); } .outcome.doubt { color: var(--doubt); }
.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 0 16px; padding: 0; list-style: none; }
.tiles li { min-width: 120px; padding: 10px 14px; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.tiles b { display: block; font-size: 22px; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--dim); }
.tiles .good b { color: var(--good); } .tiles .bad b { color: var(--bad); } .tiles .doubt b { color: var(--doubt); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.wide { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 7px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.filter { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
.filter label { display: flex; flex-direction: column; gap: 3px; color: var(--dim); }
.filter select { max-width: 420px; }
input, select, button { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px; }
button { cursor: pointer; } button:disabled { opacity: .45; cursor: default; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
.pages { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin: 0 0 10px; }
#count { margin: 12px 0 8px; font-weight: 600; }
@media print { .filter, .pages { display: none; } body { background: none; } }
`;
