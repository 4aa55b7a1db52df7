/** What the page of an import has beside the common style. */
export const STYLE = `
.warnings, .bound { color: var(--doubt); }
td ul { margin: 0; padding: 0; list-style: none; }
.value { white-space: pre-wrap; font-family: ui-monospace, monospace; font-size: 13px; }
.said { color: var(--dim); }
.doubtful td { background: color-mix(in srgb, var(--doubt) 12%, transparent); }
.doubt { color: var(--doubt); }
button.cause { color: var(--mark); font-variant-numeric: tabular-nums; }
`;
