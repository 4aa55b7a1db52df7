/**
 * Loaded into a program with `node --require`: writes below a folder fail from the nth one on, as on a full disk (ENOSPC), or
 * only the nth one does (EIO). The write at which that begins leaves half of its bytes. DISK_FAILS holds what to do as JSON;
 * what was done is left in the file `log`, in order.
 */
const fs = require('node:fs');
const { resolve, sep } = require('node:path');

const { below, at, code, log } = JSON.parse(process.env.DISK_FAILS);
const { writeSync, writeFileSync } = fs;
const paths = new Map();
const done = [];
let seen = 0;

const isMeant = (path) => typeof path === 'string' && resolve(path).startsWith(below + sep);
const failure = (syscall, path) =>
  Object.assign(new Error(`${code}: ${code === 'EIO' ? 'i/o error' : 'no space left on device'}, ${syscall}`), {
    errno: code === 'EIO' ? -5 : -28,
    code,
    syscall,
    ...(path === undefined ? {} : { path }),
  });

/** Whether this use of the disk fails: the first one, a later one, or not at all. */
function fate(path) {
  if (!isMeant(path)) return 'done';
  seen += 1;
  if (seen === at) return 'first';
  return seen > at && code === 'ENOSPC' ? 'failed' : 'done';
}

const note = (syscall, path) => {
  if (typeof path === 'string' && resolve(path).startsWith(below)) done.push([syscall, path]);
};

const half = (data) => (typeof data === 'string' || ArrayBuffer.isView(data) ? data.slice(0, data.length >> 1) : '');
const tear = (fd, data) => typeof fd === 'number' && writeSync(fd, half(data));
const changes = (flags = 'r') => (typeof flags === 'number' ? (flags & 3) !== 0 : flags !== 'r');
const pathOf = (file) =>
  typeof file === 'number' ? paths.get(file) : file instanceof URL ? file.pathname : String(file);

/** The message of a failed `write` names no path, as that of the system does not; one of `open` and `mkdir` does. */
function patch(module, name, { path, data, syscall = name, how = 'promise', when = () => true, names = 'no' }) {
  const original = module[name];
  module[name] = function (...args) {
    const place = path.call(this, args);
    const end = when(args) ? fate(place) : 'done';
    if (end === 'done') {
      note(syscall, place);
      return original.apply(this, args);
    }
    if (end === 'first' && data !== undefined) tear(this?.fd ?? args[0], args[data]);
    const error = failure(syscall, names === 'yes' ? place : undefined);
    if (how === 'sync') throw error;
    if (how === 'callback') return process.nextTick(args.at(-1), error);
    return Promise.reject(error);
  };
}

const first = ([file]) => pathOf(file);
const named = { path: first, names: 'yes' };
const opening = { ...named, syscall: 'open', when: ([, flags]) => changes(flags) };
patch(fs.promises, 'open', opening);
const open = fs.promises.open;
let prototype;
fs.promises.open = async (file, ...rest) => {
  const handle = await open(file, ...rest);
  paths.set(handle.fd, pathOf(file));
  if (prototype === undefined) {
    prototype = Object.getPrototypeOf(handle);
    const own = { path: () => undefined };
    for (const [name, syscall] of [
      ['write', 'write'],
      ['writeFile', 'write'],
      ['appendFile', 'write'],
      ['sync', 'fsync'],
      ['datasync', 'fdatasync'],
    ])
      patch(prototype, name, {
        ...own,
        path() {
          return paths.get(this.fd);
        },
        syscall,
        ...(syscall === 'write' ? { data: 0 } : {}),
      });
  }
  return handle;
};
for (const name of ['open']) {
  patch(fs, name, { ...opening, how: 'callback' });
  const original = fs[name];
  fs[name] = (file, ...rest) => {
    const done = rest.pop();
    return original(file, ...rest, (error, fd) => {
      if (error === null) paths.set(fd, pathOf(file));
      done(error, fd);
    });
  };
}
patch(fs, 'openSync', { ...opening, how: 'sync' });
const openSync = fs.openSync;
fs.openSync = (file, ...rest) => {
  const fd = openSync(file, ...rest);
  paths.set(fd, pathOf(file));
  return fd;
};
for (const name of ['write', 'writev']) patch(fs, name, { path: first, data: 1, syscall: 'write', how: 'callback' });
for (const name of ['writeSync', 'appendFileSync', 'writeFileSync'])
  patch(fs, name, { path: first, data: 1, syscall: 'write', how: 'sync' });
patch(fs, 'mkdirSync', { ...named, syscall: 'mkdir', how: 'sync' });
patch(fs.promises, 'mkdir', named);
patch(fs.promises, 'mkdtemp', { ...named });
patch(fs.promises, 'rename', { ...named, when: () => code === 'EIO' });
patch(fs.promises, 'copyFile', { path: ([, to]) => pathOf(to), names: 'yes' });
const { promises } = fs;
for (const name of ['writeFile', 'appendFile']) {
  const original = promises[name];
  promises[name] = async (file, data, options) => {
    const end = typeof file === 'object' ? 'done' : fate(pathOf(file));
    if (end === 'done') return original(file, data, options);
    // The file is there, and empty or torn: it was opened before its bytes were refused.
    if (end === 'first' && typeof data === 'string') await original(file, half(data), options);
    throw failure('write');
  };
}
require('node:module').syncBuiltinESMExports();
process.on('exit', () => writeFileSync(log, JSON.stringify({ writes: seen, done })));
