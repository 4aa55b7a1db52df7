/**
 * The script of the page: filters the changes in its data, shows them page by page, and shows their fields when they
 * are opened. Values become text nodes, never markup.
 */
export const SCRIPT = `
'use strict';
(() => {
  const PAGE = 100;
  const FEW = 12;
  const [ADDRESS, KIND, ACTION, MESSAGE, OUTCOME, PLACE, FIELDS] = [0, 1, 2, 3, 4, 5, 6];
  const { sides, changes } = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  if (at('list') === null) return;
  const words = (change) => [change[ADDRESS], change[ACTION], change[MESSAGE], change[OUTCOME], change[PLACE],
    ...change[FIELDS].flatMap(([path, lines]) => [path, ...lines.flatMap(([before, after]) => [before, after])
      .map((side) => side === null ? '' : side.map(([text]) => text).join(''))])].join('\\n').toLowerCase();
  const texts = changes.map(words);
  let shown = changes;
  let page = 0;

  const make = (tag, name, text) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const side = (segments, name) => {
    const made = make('td', segments !== null && segments.some(([, differs]) => differs) ? name : '');
    for (const [text, differs] of segments ?? []) made.append(differs ? make('mark', '', text) : text);
    return made;
  };
  const field = (name) => {
    const made = make('td', 'field');
    for (const part of name.split(/(?<=[.\\]])/)) made.append(part, make('wbr'));
    return made;
  };
  const table = (fields) => {
    const made = make('table', 'diff');
    const head = make('tr');
    head.append(make('th', '', 'Field'), ...sides.map((name) => make('th', '', name)));
    for (const cell of head.cells) cell.scope = 'col';
    made.append(make('thead'), make('tbody'));
    made.tHead.append(head);
    for (const [path, lines, outside] of fields) {
      const rows = lines.length === 0 ? [[null, null]] : lines;
      rows.forEach(([before, after], index) => {
        const row = make('tr', index === 0 ? 'first' : '');
        const whole = (own, other) => own !== null && other === null ? own.map(([text]) => [text, 1]) : own;
        row.append(index === 0 ? field(path + (outside ? ' (changed outside)' : '')) : make('td', 'field'),
          side(whole(before, after), 'gone'), side(whole(after, before), 'come'));
        made.tBodies[0].append(row);
      });
    }
    return made;
  };
  const item = (change) => {
    const made = make('details', 'act-' + change[ACTION]);
    const head = make('summary');
    const paths = change[FIELDS].slice(0, 4).map(([path]) => path);
    const more = change[FIELDS].length - paths.length;
    head.append(make('b', '', change[ADDRESS]), ' ', make('span', 'what', change[ACTION] + (change[OUTCOME] === '' ? '' : ', ' + change[OUTCOME])),
      ' ', make('span', 'paths', paths.join(', ') + (more > 0 ? ' and ' + more + ' more' : '')));
    made.append(head);
    made.addEventListener('toggle', () => {
      if (!made.open || made.childElementCount > 1) return;
      const body = make('div', 'body');
      body.append(make('p', '', withLocalTimes(change[MESSAGE])), make('p', 'place', change[PLACE]));
      if (change[FIELDS].length > 0) {
        const wide = make('div', 'wide');
        wide.append(table(change[FIELDS]));
        body.append(wide);
      }
      made.append(body);
    });
    return made;
  };
  const openAll = () => { for (const one of at('list').children) one.open = true; };
  const count = (number) => number.toLocaleString('en-US');
  const show = () => {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    page = Math.min(page, pages - 1);
    at('list').replaceChildren(...shown.slice(page * PAGE, (page + 1) * PAGE).map(item));
    at('count').textContent = changes.length === 1 ? '1 change' : count(shown.length) + ' of ' + count(changes.length) + ' changes';
    at('page').textContent = 'page ' + count(page + 1) + ' of ' + count(pages);
    at('previous').disabled = page === 0;
    at('next').disabled = page === pages - 1;
    for (const id of ['previous', 'page', 'next']) at(id).hidden = pages === 1;
  };
  const filter = () => {
    const wanted = at('text').value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const [action, kind] = [at('action').value, at('kind').value];
    shown = changes.filter((change, index) => (action === '' || change[ACTION] === action)
      && (kind === '' || change[KIND] === kind) && wanted.every((word) => texts[index].includes(word)));
    page = 0;
    show();
  };
  const turn = (by) => () => {
    page += by;
    show();
  };
  const choose = (node) => {
    at('text').value = node.dataset.search;
    at('action').value = node.dataset.action;
    at('kind').value = node.dataset.kind;
    filter();
    at('changes').scrollIntoView();
    at('list').querySelector('summary')?.focus({ preventScroll: true });
  };

  for (const id of ['text', 'action', 'kind']) at(id).addEventListener('input', filter);
  const form = document.querySelector('.filter');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    for (const id of ['text', 'action', 'kind']) at(id).value = '';
    filter();
  });
  at('previous').addEventListener('click', turn(-1));
  at('next').addEventListener('click', turn(1));
  at('open').addEventListener('click', openAll);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    at('text').focus();
  });
  for (const node of document.querySelectorAll('.node')) {
    node.addEventListener('click', () => choose(node));
    node.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose(node);
    });
  }
  show();
  form.hidden = changes.length === 1;
  at('open').hidden = changes.length === 1;
  if (changes.length <= FEW) openAll();
})();
`;
