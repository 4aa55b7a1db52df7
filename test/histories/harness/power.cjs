/**
 * Loaded into a program with `node --require`: notes in the file POWER_LOG what outlasts a loss of power, a line for each sync:
 * the content of a file, or the entries of a folder, below the folders POWER_BELOW. Files are told by what `lstat` says of them,
 * since a name may lead to another one until its folder is synced.
 */
const fs = require('node:fs');
const { join } = require('node:path');

const { appendFileSync, fstatSync, lstatSync, readdirSync, readFileSync, readlinkSync } = fs;
const below = JSON.parse(process.env.POWER_BELOW);

const identityOf = ({ ino, birthtimeMs }) => `${ino} ${birthtimeMs}`;

const entriesOf = (folder) =>
  readdirSync(folder).map((name) => {
    const found = lstatSync(join(folder, name));
    return [name, found.isDirectory() ? 'folder' : identityOf(found)];
  });

function note(fd) {
  const link = `/proc/self/fd/${fd}`;
  const path = readlinkSync(link);
  if (!below.some((folder) => path === folder || path.startsWith(`${folder}/`))) return;
  const found = fstatSync(fd);
  const line = found.isDirectory()
    ? { folder: path, entries: entriesOf(path) }
    : { file: identityOf(found), content: readFileSync(link).toString('base64') };
  appendFileSync(process.env.POWER_LOG, `${JSON.stringify(line)}\n`);
}

for (const name of ['fsync', 'fdatasync']) {
  const [later, now] = [fs[name], fs[`${name}Sync`]];
  fs[name] = (fd, done) =>
    later(fd, (error) => {
      if (error === null) note(fd);
      done(error);
    });
  fs[`${name}Sync`] = (fd) => {
    now(fd);
    note(fd);
  };
}
const { open } = fs.promises;
let isPatched = false;
fs.promises.open = async (...given) => {
  const handle = await open(...given);
  if (!isPatched) {
    isPatched = true;
    const prototype = Object.getPrototypeOf(handle);
    for (const name of ['sync', 'datasync']) {
      const original = prototype[name];
      prototype[name] = async function () {
        await original.call(this);
        note(this.fd);
      };
    }
  }
  return handle;
};
require('node:module').syncBuiltinESMExports();
