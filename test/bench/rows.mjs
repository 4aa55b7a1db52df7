const NUMBERS = 1000;

/** How many rows were seen in one run in the field (wire-facts 4, "Size limits"). */
export const ROWS = 134_881;

/**
 * Items as the rows of a CSV file, RFC 4180.
 *
 * @param {number} count
 */
export function itemRows(count) {
  const lines = ['number,name,description,uom,standardCost'];
  for (let n = 0; n < count; n += 1) lines.push(itemRow(n).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * BOM lines under a thousand of those items: each has others of them as its parts, and none contains itself.
 *
 * @param {number} count
 */
export function lineRows(count) {
  const lines = ['number,item.number,quantity,refDes,notes'];
  for (let n = 0; n < count; n += 1) {
    const { parent, child, quantity, refDes, notes } = lineOf(n);
    lines.push([numberOf(parent), numberOf(child), quantity, refDes, notes].join(','));
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** @param {number} n */
export const itemRow = (n) => [numberOf(n), `Part ${n}`, `Description of part ${n}`, 'each', n % 97];

/** @param {number} n */
export function lineOf(n) {
  const parent = n % NUMBERS;
  const child = NUMBERS + Math.floor(n / NUMBERS) * NUMBERS + ((n * 7) % NUMBERS);
  return { parent, child, quantity: 1, refDes: `R${Math.floor(n / NUMBERS) + 1}`, notes: `Line ${n}` };
}

/** @param {number} n */
const numberOf = (n) => `P-${String(n).padStart(7, '0')}`;
