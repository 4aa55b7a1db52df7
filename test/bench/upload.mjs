import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { floor, printed, root } from './processes.mjs';

const BYTES = 1024 ** 3;

const SERVER =
  'to the same server, which counts the bytes and drops them. All tell the time from request to answer themselves, without their start.';
const NODE = `node:http alone posts the same file, read in pieces of a megabyte, ${SERVER}`;
const CURL = `curl -F of the same file ${SERVER} Without TLS and a network curl copies less than any program on Node.`;

/** @type {import('./compare.mjs').Measurement} */
export const upload = {
  name: 'upload',
  title: 'upload of a 1 GB spool',
  runs: 5,
  aim: 1.05,
  async prepare(folder) {
    const path = await spool(join(folder, 'rows.csv'));
    const { url, stop } = await receiver();
    const input = JSON.stringify({ url, path });
    const subject = [process.execPath, join(root, 'test/bench/send-spool.mjs'), input];
    const form = ['-F', 'commit=false', '-F', 'submitFileType=CSV', '-F', `submitContent=@${path};type=text/csv`];
    const time = ['-s', '-o', join(folder, 'answer.json'), '-w', '%{time_total}'];
    const curl = ['curl', ...time, '-H', 'Expect:', ...form, `${url}/imports/A1B2C3D4E5F6G7H8I9J0/runs`];
    return {
      subject: async () => Number(await printed(subject, folder)),
      floors: [
        {
          against: 'bare node:http',
          note: NODE,
          run: async () => Number(await printed(floor('upload', { url, path }), folder)),
        },
        { against: 'curl -F', note: CURL, run: async () => Number(await printed(curl, folder)) * 1000 },
      ],
      close: stop,
    };
  },
};

/** @param {string} path */
async function spool(path) {
  const file = await open(path, 'w');
  const lines = Array.from({ length: 10_000 }, (_, n) => `P-${String(n).padStart(7, '0')},Part ${n},each\r\n`);
  const block = Buffer.from(lines.join(''));
  for (let bytes = 0; bytes < BYTES; bytes += block.length) await file.write(block);
  await file.close();
  return path;
}

async function receiver() {
  const [program, ...args] = floor('receive');
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [port] = await once(createInterface(child.stdout), 'line');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
