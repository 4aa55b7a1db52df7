/**
 * Browser code of the page: filters the rows of its data, shows them page by page and copies them. Values become text
 * nodes, never markup.
 */
export const SCRIPT = `
'use strict';
(() => {
  const PAGE = 100;
  const [ROW, COLUMN, VALUE, KEY, CODE, MESSAGE, CERTAINTY, DOUBT, CAUSE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const errors = JSON.parse(document.getElementById('data').textContent);
  const at = (id) => document.getElementById(id);
  if (at('failed') === null) return;
  const body = at('failed').tBodies[0];
  const texts = errors.map((error) => error.slice(0, CAUSE).join('\\n').toLowerCase());
  let shown = errors;
  let page = 0;

  const labels = [...at('failed').tHead.rows[0].cells].map((head) => head.textContent);
  const cell = (text, index, name) => {
    const made = document.createElement('td');
    const inner = document.createElement('div');
    inner.className = 'long';
    inner.textContent = text;
    made.append(inner);
    made.dataset.label = labels[index];
    if (name) made.className = name;
    return made;
  };
  const line = (error) => {
    const made = document.createElement('tr');
    if (error[CERTAINTY] === 'doubtful') made.className = 'doubtful';
    const message = cell(error[MESSAGE], 4);
    if (error[DOUBT] !== '') {
      const doubt = document.createElement('div');
      doubt.className = 'doubt';
      doubt.textContent = error[DOUBT];
      message.append(doubt);
    }
    made.append(cell(error[ROW] === null ? 'not found' : error[ROW], 0, 'number'), cell(error[KEY], 1), cell(error[COLUMN], 2),
      cell(error[VALUE], 3, 'value'), message, cell(error[CODE] === null ? '' : error[CODE], 5, 'number'), cell(error[CERTAINTY], 6));
    return made;
  };
  const count = (number) => number.toLocaleString('en-US');
  const show = () => {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    page = Math.min(page, pages - 1);
    body.replaceChildren(...shown.slice(page * PAGE, (page + 1) * PAGE).map(line));
    at('count').textContent = count(shown.length) + ' of ' + count(errors.length) + (errors.length === 1 ? ' failed row' : ' failed rows');
    at('page').textContent = 'page ' + count(page + 1) + ' of ' + count(pages);
    at('previous').disabled = page === 0;
    at('next').disabled = page === pages - 1;
    at('page').parentElement.hidden = pages === 1;
  };
  const filter = () => {
    const words = at('text').value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const cause = at('cause').value;
    const certainty = at('certainty').value;
    shown = errors.filter((error, index) => (cause === '' || String(error[CAUSE]) === cause)
      && (certainty === '' || error[CERTAINTY] === certainty) && words.every((word) => texts[index].includes(word)));
    page = 0;
    show();
  };
  const turn = (by) => () => {
    page += by;
    show();
  };
  const copy = async () => {
    const clean = (text) => String(text === null ? '' : text).replace(/[\\t\\r\\n]+/g, ' ');
    const columns = [ROW, KEY, COLUMN, VALUE, MESSAGE, CODE, CERTAINTY];
    const lines = shown.map((error) => columns.map((index) => clean(error[index])).join('\\t'));
    const text = [labels.join('\\t'), ...lines].join('\\n');
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    at('copy').textContent = 'Copied ' + count(shown.length) + (shown.length === 1 ? ' row' : ' rows');
    setTimeout(() => { at('copy').textContent = 'Copy these rows'; }, 2000);
  };

  for (const id of ['text', 'cause', 'certainty']) at(id).addEventListener('input', filter);
  const form = document.querySelector('.filter');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(filter));
  at('previous').addEventListener('click', turn(-1));
  at('next').addEventListener('click', turn(1));
  at('copy').addEventListener('click', copy);
  for (const button of document.querySelectorAll('button.cause')) {
    button.addEventListener('click', () => {
      at('cause').value = button.dataset.cause;
      filter();
      at('rows').scrollIntoView();
      at('cause').focus({ preventScroll: true });
    });
  }
  show();
})();
`;
