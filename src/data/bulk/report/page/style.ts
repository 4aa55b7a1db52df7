/** Style of the page of an import, added to the common style. */
export const STYLE = `
.warnings, .bound { color: var(--doubt); }
td ul { margin: 0; padding: 0; list-style: none; }
.value { white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: 13px; }
.said { color: var(--dim); }
.doubtful td { background: color-mix(in srgb, var(--doubt) 12%, transparent); }
.doubt { color: var(--doubt); }
.long { max-height: 9em; overflow: auto; }
.number .long { white-space: normal; }
details { margin: 10px 0; } summary { cursor: pointer; color: var(--dim); }
details dl { margin: 8px 0 0 14px; grid-template-columns: fit-content(40%) minmax(0, 1fr); }
details dt { overflow-wrap: anywhere; }
.values { display: flex; flex-wrap: wrap; gap: 4px 8px; margin: 0; padding: 0; list-style: none; }
.values li { padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--sheet); overflow-wrap: anywhere; }
.values .more { border: 0; background: none; color: var(--dim); }
code { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  main { padding: 16px 12px 32px; }
  details dl, header dl { grid-template-columns: minmax(0, 1fr); } dd + dt { margin-top: 6px; }
  .filter label, .filter select, .filter input { width: 100%; max-width: none; }
  .wide table, .wide tbody, .wide tr, .wide td { display: block; } .wide thead { display: none; }
  .wide tr { padding: 8px 0; border-bottom: 1px solid var(--line); } .wide tbody tr:last-child { border-bottom: 0; }
  .wide td { display: grid; grid-template-columns: 96px minmax(0, 1fr); gap: 8px; padding: 2px 10px; border: 0; text-align: left; white-space: normal; }
  .wide td::before { content: attr(data-label); color: var(--dim); font-family: system-ui, sans-serif; }
}
button.cause { color: var(--mark); font-variant-numeric: tabular-nums; }
`;
