import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

// Posts a file as a form by node:http alone, and prints the milliseconds from the request to its answer.
const { url, path } = JSON.parse(process.argv[2]);
const field = (name, rest) => `--b\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n`;
const head =
  `${field('commit', '')}\r\nfalse\r\n${field('submitFileType', '')}\r\nCSV\r\n` +
  `${field('submitContent', '; filename="rows.csv"')}content-type: text/csv\r\n\r\n`;
const tail = '\r\n--b--\r\n';
const { size } = await stat(path);
const begin = performance.now();
const sending = request(`${url}/imports/A1B2C3D4E5F6G7H8I9J0/runs`, {
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': head.length + size + tail.length },
});
const answer = new Promise((done, failed) => sending.once('response', done).once('error', failed));
await pipeline(async function* () {
  yield head;
  yield* createReadStream(path, { highWaterMark: 1024 ** 2 });
  yield tail;
}, sending);
const { totalCount } = JSON.parse(await text(await answer));
const milliseconds = performance.now() - begin;
if (totalCount < size) throw new Error(`Of ${size} bytes ${totalCount} came.`);
process.stdout.write(`${milliseconds}\n`);
