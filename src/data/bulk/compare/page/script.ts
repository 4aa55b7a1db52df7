/**
 * Browser code of the page: filters the rows of its data, groups them by parent and shows them page by page. Values
 * become text nodes, never markup.
 */
export const SCRIPT = `
'use strict';
(() => {
  const PAGE = 100;
  const [ROW, KIND, KEY, CELLS, CHANGES, WHY] = [0, 1, 2, 3, 4, 5];
  const [NAME, LETTER, USE, PARTLY] = [0, 1, 2, 3];
  const KINDS = ['unchanged', 'new', 'changed', 'removed', 'gone', 'refused', 'kept'];
  const MARKS = ['', '+', '~', '-', '?', '\\u2717'];
  const at = (id) => document.getElementById(id);
  if (at('sheet') === null) return;
  const { columns, grouped, words, rows } = JSON.parse(at('data').textContent);
  const [head, body] = [at('sheet').tHead, at('sheet').tBodies[0]];
  const isNarrow = matchMedia('(max-width: 640px)').matches;
  const count = (number) => number.toLocaleString('en-US');
  const texts = [];
  const textOf = (index) => texts[index] ??= rows[index].slice(KEY).flat(2).concat(rows[index][ROW] ?? '').join('\\n').toLowerCase();

  const changedIn = columns.map(() => 0);
  const isChanged = (row) => KINDS[row[KIND]] === 'changed';
  for (const row of rows) if (isChanged(row)) for (const column of new Set(row[CHANGES].map(([place]) => place))) changedIn[column] += 1;
  for (const [place, column] of columns.entries()) {
    if (changedIn[place] > 0) at('column').append(new Option(column[NAME] + ' (' + count(changedIn[place]) + ')', String(place)));
  }
  const groups = new Map();
  if (grouped) {
    at('grouping').hidden = false;
    rows.forEach((row, index) => {
      const known = groups.get(row[KEY][0]);
      if (known === undefined) groups.set(row[KEY][0], [index]);
      else known.push(index);
    });
  }
  const inFile = rows.map((_, index) => index);
  const byParent = [...groups.values()].flat();

  let shown = [];
  let page = 0;
  let places = [];
  const make = (tag, name, ...children) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...children);
    return made;
  };
  const isGrouped = () => grouped && at('grouped').checked;
  const value = (tag, text, said) => make(tag, '', make('span', 'said', said + ' '), text === '' ? make('span', 'none', '(empty)') : text);
  const cellOf = (row, place) => {
    const own = row[CHANGES].filter(([column]) => column === place);
    const made = make('td', columns[place][USE]);
    if (own.length === 0) made.append(row[CELLS][place] ?? '');
    else made.classList.add('cell');
    own.forEach(([, before, after], index) => {
      if (index > 0) made.append('\\n');
      made.append(value('del', before, 'was'));
      if (isChanged(row)) made.append(make('span', 'to', ' \\u2192 '), value('ins', after, 'becomes'));
    });
    return made;
  };
  const line = (row) => {
    const kind = KINDS[row[KIND]];
    const title = make('th', 'row is-' + kind, make('i', '', MARKS[row[KIND]]), ' ',
      make('span', 'place', row[ROW] === null ? '' : String(row[ROW])), ' ' + words[kind], make('span', 'own', row[KEY].slice(isGrouped() ? 1 : 0).join(' / ')));
    title.scope = 'row';
    const lines = [make('tr', kind, title, ...places.map((place) => cellOf(row, place)))];
    if (row[WHY] !== '') {
      const cell = make('td', '', make('span', '', row[WHY]));
      cell.colSpan = places.length + 1;
      lines.push(make('tr', 'why', cell));
    }
    return lines;
  };
  const groupLine = (parent, isMore) => {
    const own = groups.get(parent);
    const counts = KINDS.map((_, kind) => own.filter((index) => rows[index][KIND] === kind).length);
    const cells = new Map();
    for (const index of own) if (isChanged(rows[index])) for (const [place] of rows[index][CHANGES]) cells.set(place, (cells.get(place) ?? 0) + 1);
    const which = [...cells].map(([place, number]) => columns[place][NAME] + ' in ' + count(number)).join(', ');
    const parts = [[1, ''], [3, ''], [2, which === '' ? '' : ' (' + which + ')'], [5, ''], [4, ''], [0, '']]
      .filter(([kind]) => counts[kind] > 0).map(([kind, more]) => count(counts[kind]) + ' ' + words[KINDS[kind]] + more);
    const cell = make('th', '', make('span', '', parent === '' ? '(no parent)' : parent, isMore ? ' (continued)' : '', ' ', make('small', '', parts.join(', '))));
    cell.colSpan = places.length + 1;
    cell.scope = 'rowgroup';
    return make('tr', 'group', cell);
  };
  const heading = () => {
    const corner = make('th', 'row', 'Row');
    const cells = places.map((place) => {
      const [name, letter, use, partly] = columns[place];
      const notes = [letter, use === 'unused' ? 'not imported' : use === 'constant' ? 'constant' : '', partly ? 'not compared' : ''].filter((note) => note !== '');
      return make('th', use, name, ...(notes.length === 0 ? [] : [make('small', '', notes.join(', '))]));
    });
    for (const cell of [corner, ...cells]) cell.scope = 'col';
    head.replaceChildren(make('tr', '', corner, ...cells));
  };
  const lines = () => {
    const first = page * PAGE;
    let parent = null;
    return shown.slice(first, first + PAGE).flatMap((index, n) => {
      const row = rows[index];
      const begins = isGrouped() && row[KEY][0] !== parent;
      parent = row[KEY][0];
      const isMore = n === 0 && first > 0 && rows[shown[first - 1]][KEY][0] === parent;
      return [...(begins ? [groupLine(parent, isMore)] : []), ...line(row)];
    });
  };
  const show = () => {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    page = Math.min(page, pages - 1);
    heading();
    body.replaceChildren(...lines());
    const all = at('unchanged')?.checked ? rows.length : rows.filter((row) => row[KIND] !== 0).length;
    at('count').textContent = count(shown.length) + ' of ' + count(all) + (all === 1 ? ' row' : ' rows');
    at('page').textContent = 'page ' + count(page + 1) + ' of ' + count(pages);
    at('previous').disabled = page === 0;
    at('next').disabled = page === pages - 1;
    at('page').parentElement.hidden = pages === 1;
    at('sheet').parentElement.scrollTop = 0;
  };
  const placesOf = (which) => {
    const those = columns.map((_, place) => place).filter((place) => which === 'all' || (which === 'imported' ? columns[place][USE] !== 'unused'
      : columns[place][USE] === 'key' || changedIn[place] > 0));
    return which === 'changed' && those.every((place) => changedIn[place] === 0) ? placesOf('imported') : those;
  };
  const filter = () => {
    const wanted = at('text').value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const kind = KINDS.indexOf(at('kind').value);
    const column = at('column').value === '' ? -1 : Number(at('column').value);
    const withUnchanged = at('unchanged')?.checked;
    places = placesOf(at('columns').value);
    shown = (isGrouped() ? byParent : inFile).filter((index) => {
      const row = rows[index];
      return (row[KIND] !== 0 || withUnchanged) && (kind < 0 || row[KIND] === kind)
        && (column < 0 || isChanged(row) && row[CHANGES].some(([place]) => place === column)) && wanted.every((word) => textOf(index).includes(word));
    });
    page = 0;
    show();
  };
  const turn = (by) => () => {
    page += by;
    show();
  };
  const start = () => {
    if (isNarrow) at('columns').value = 'changed';
    filter();
  };

  const form = document.querySelector('.filter');
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(start));
  at('previous').addEventListener('click', turn(-1));
  at('next').addEventListener('click', turn(1));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    at('text').focus();
  });
  if (isNarrow) document.querySelector('.legend').open = false;
  start();
})();
`;
