import { describe, expect, test } from 'vitest';
import { publicUrl } from '#project/connection/repository-url.js';

const SECRET = 'glpat-S3cret';

/** Where a forge, a person or a helper puts a secret into each form of a remote. */
const USERS = [
  '',
  'git@',
  `${SECRET}@`,
  `user:${SECRET}@`,
  `:${SECRET}@`,
  `user:${encodeURIComponent(`a/${SECRET}@b`)}@`,
];
const QUERIES = ['', `?private_token=${SECRET}`, `#${SECRET}`, `?a=b&token=${SECRET}#x`];

const FORMS: readonly (readonly [name: string, remote: (user: string) => string, recorded: string])[] = [
  [
    'https',
    (user) => `https://${user}forge.example.com/team/project.git`,
    'https://forge.example.com/team/project.git',
  ],
  ['http with a port', (user) => `http://${user}forge:8080/a/b`, 'http://forge:8080/a/b'],
  ['ssh', (user) => `ssh://${user}forge.example.com:2222/~/b.git`, 'ssh://forge.example.com:2222/~/b.git'],
  ['git over ssh', (user) => `git+ssh://${user}forge/b.git`, 'git+ssh://forge/b.git'],
  ['scp', (user) => `${user}forge.example.com:team/project.git`, 'forge.example.com:team/project.git'],
  ['scp and IPv6', (user) => `${user}[::1]:project.git`, '[::1]:project.git'],
  ['a helper', (user) => `codecommit::eu-west-1://${user}project`, 'codecommit::eu-west-1://project'],
];

describe('a repository is recorded without user and query', () => {
  test.each(FORMS)('%s', (_, remote, recorded) => {
    for (const user of USERS) for (const query of QUERIES) expect(publicUrl(remote(user) + query)).toBe(recorded);
  });

  test.each([
    ['a folder', '/srv/git/project.git', '/srv/git/project.git'],
    ['a folder with an @', '../a@b/project.git', '../a@b/project.git'],
    ['a file', 'file:///srv/git/project.git', 'file:///srv/git/project.git'],
    ['a folder of Windows', 'C:\\git\\project', 'C:\\git\\project'],
    ['a command', `ext::ssh -i key ${SECRET}@forge %S b`, undefined],
    ['an invalid URL', `https://user:${SECRET}/x@forge:port/b`, undefined],
    ['nothing', ' ', undefined],
  ])('%s', (_, remote, recorded) => {
    expect(publicUrl(remote)).toBe(recorded);
  });
});
