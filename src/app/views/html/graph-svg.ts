import { escapeHtml, groupedCount } from '#base/pages/html-page.js';
import type { Graph, GraphNode } from './graph-layout.js';

/** How boxes and lines of a picture are placed, and how many letters fit into a line of a box. */
interface Form {
  readonly name: 'across' | 'down';
  readonly width: number;
  readonly letters: number;
  readonly place: (boxes: readonly Box[]) => readonly PlacedBox[];
  readonly line: (from: PlacedBox, to: PlacedBox, height: number) => string;
}

interface Box {
  readonly node: GraphNode;
  readonly lines: readonly string[];
  readonly height: number;
}

interface PlacedBox extends Box {
  readonly x: number;
  readonly y: number;
}

const MARGIN = 8;
const GAP = 70;
const BETWEEN = 12;
const LINE = 17;
/** Space for lines to the left of the boxes of a narrow picture. */
const GUTTER = 44;

const HEADING = 'role="group" aria-label="Which change waits for which"';

/**
 * Draws a box for each node, which a click or the enter key looks up in the list, and a line for each edge: once
 * across, from left to right, and once down, for narrow screens. The page's style shows one of them.
 */
export const graphSvg = (graph: Graph): string => [ACROSS, DOWN].map((form) => pictureOf(graph, form)).join('\n');

function pictureOf({ nodes, edges }: Graph, form: Form): string {
  const boxes = form.place(nodes.map((node) => boxOf(node, form.letters)));
  const width = MARGIN + Math.max(0, ...boxes.map(({ x }) => x + form.width));
  const height = MARGIN + Math.max(0, ...boxes.map((box) => box.y + box.height));
  const byNode = new Map(boxes.map((box) => [box.node, box]));
  const boxAt = (index: number): PlacedBox => byNode.get(nodes[index] as GraphNode) as PlacedBox;
  const lines = edges.map(([from, to]) => `<path d="${form.line(boxAt(from), boxAt(to), height)}"/>`).join('\n');
  return `<div class="wide graph ${form.name}"><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${HEADING}>
<g class="edges" aria-hidden="true">
${lines}
</g>
${boxes.map((box) => boxMarkup(box, form)).join('\n')}
</svg></div>`;
}

function boxOf(node: GraphNode, letters: number): Box {
  const lines = linesOf(node.label, letters);
  return { node, lines, height: LINE * lines.length + 17 };
}

/** Splits a name into lines, after a slash or a space if possible. */
function linesOf(label: string, letters: number): string[] {
  const all = [...label];
  if (all.length <= letters) return [label];
  const first = all.slice(0, letters);
  const at = Math.max(first.lastIndexOf(' '), first.lastIndexOf('/')) + 1;
  const end = at > letters / 3 ? at : letters;
  return [all.slice(0, end).join(''), ...linesOf(all.slice(end).join(''), letters)];
}

const ACROSS: Form = {
  name: 'across',
  width: 230,
  letters: 26,
  place(boxes) {
    const ends = new Map<number, number>();
    return boxes.map((box) => {
      const { column } = box.node;
      const y = ends.get(column) ?? MARGIN;
      ends.set(column, y + box.height + BETWEEN);
      return { ...box, x: MARGIN + column * (ACROSS.width + GAP), y };
    });
  },
  line(from, to) {
    const [x1, y1, x2, y2] = [from.x + ACROSS.width, middleOf(from), to.x, middleOf(to)];
    const bend = Math.max(30, Math.abs(x2 - x1) / 2);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  },
};

const DOWN: Form = {
  name: 'down',
  width: 296,
  letters: 34,
  place(boxes) {
    let y = MARGIN;
    const inOrder = [...boxes].sort(
      (one, other) => one.node.column - other.node.column || one.node.row - other.node.row,
    );
    return inOrder.map((box) => {
      const placed = { ...box, x: GUTTER, y };
      y += box.height + BETWEEN;
      return placed;
    });
  },
  line(from, to, height) {
    const [y1, y2] = [middleOf(from), middleOf(to)];
    const bend = GUTTER - 14 - (GUTTER - 26) * (Math.abs(y2 - y1) / height);
    return `M${from.x} ${y1}C${bend} ${y1} ${bend} ${y2} ${to.x} ${y2}`;
  },
};

const middleOf = ({ y, height }: PlacedBox): number => y + height / 2;

function boxMarkup({ node, lines, x, y, height }: PlacedBox, { width }: Form): string {
  const { label, action, count, search, kind } = node;
  const title = `${label}: ${count === 1 ? action : `${groupedCount(count)} times ${action}`}`;
  const texts = lines.map((text, index) => `<text x="12" y="${22 + LINE * index}">${escapeHtml(text)}</text>`).join('');
  return `<g class="node act-${action}" tabindex="0" role="button" aria-label="${escapeHtml(title)}" data-search="${escapeHtml(search)}" data-kind="${escapeHtml(kind)}" data-action="${action}" transform="translate(${x} ${y})"><title>${escapeHtml(title)}</title><rect width="${width}" height="${height}" rx="7"/>${texts}</g>`;
}
