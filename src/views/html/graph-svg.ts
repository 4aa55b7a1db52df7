import { escapeHtml, groupedCount } from '../../html-page.js';
import type { Graph, GraphNode } from './graph-layout.js';

const WIDTH = 230;
const HEIGHT = 34;
const GAP = 70;
const LINE = 46;
const MARGIN = 8;
const LONGEST = 26;

/** A box for each node, which a click or the enter key looks up in the list, and a line for each edge. */
export function graphSvg({ nodes, edges }: Graph): string {
  const columns = Math.max(0, ...nodes.map(({ column }) => column)) + 1;
  const rows = Math.max(0, ...nodes.map(({ row }) => row)) + 1;
  const width = 2 * MARGIN + columns * WIDTH + (columns - 1) * GAP;
  const height = 2 * MARGIN + rows * LINE;
  const boxes = nodes.map(box).join('\n');
  const lines = edges.map(([from, to]) => line(nodes[from] as GraphNode, nodes[to] as GraphNode)).join('\n');
  return `<div class="wide graph"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Which change waits for which">
<g class="edges" aria-hidden="true">
${lines}
</g>
${boxes}
</svg></div>`;
}

const left = ({ column }: GraphNode): number => MARGIN + column * (WIDTH + GAP);
const top = ({ row }: GraphNode): number => MARGIN + row * LINE;

function box(node: GraphNode): string {
  const { label, action, count, search, kind } = node;
  const short = label.length <= LONGEST ? label : `${label.slice(0, LONGEST - 1)}…`;
  const title = `${label}: ${count === 1 ? action : `${groupedCount(count)} times ${action}`}`;
  return `<g class="node act-${action}" tabindex="0" role="button" aria-label="${escapeHtml(title)}" data-search="${escapeHtml(search)}" data-kind="${escapeHtml(kind)}" data-action="${action}" transform="translate(${left(node)} ${top(node)})"><title>${escapeHtml(title)}</title><rect width="${WIDTH}" height="${HEIGHT}" rx="7"/><text x="12" y="22">${escapeHtml(short)}</text></g>`;
}

function line(from: GraphNode, to: GraphNode): string {
  const [x1, y1] = [left(from) + WIDTH, top(from) + HEIGHT / 2];
  const [x2, y2] = [left(to), top(to) + HEIGHT / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}"/>`;
}
