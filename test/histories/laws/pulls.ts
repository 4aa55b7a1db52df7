import { manifestsIn, readFiles } from '../harness/read-manifests.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { type Dialect, type Fields, isListed, KIND_NAMES, type KindName, sameValue } from '../model/kinds.js';
import { type ExpectedPull, expectedPull } from '../model/pull.js';
import { addressOfManifest, type Manifest } from '../model/world.js';
import { Violation } from '../violation.js';
import { answerOf, judgeCode, judgeRefusal, judgeWrites } from './answers.js';
import { judgePlan } from './applies.js';
import { judgeWorkspace } from './workspace.js';

/** What a pull is asked for. */
export interface PullAsked {
  readonly kinds?: readonly KindName[];
  readonly adopt?: boolean;
  readonly drifted?: boolean;
  readonly layout?: 'kind' | 'object';
}

interface PulledSeen {
  readonly added: readonly string[];
  readonly edited: readonly string[];
  readonly unchanged: readonly string[];
  readonly open: readonly string[];
  readonly adopted: readonly string[];
}

/** Kinds that are pulled: without the definitions of imports, some of which the model does not have. */
export const listedKinds = (dialect: Dialect): KindName[] =>
  KIND_NAMES.filter((kind) => kind !== 'ImportDefinition' && isListed(kind, dialect));

/** Law 2 of a pull: the manifests say what lives, the workspace stays, and the plan leaves what was pulled alone. */
export async function judgePull(world: World, site: Site, asked: PullAsked): Promise<'skipped' | undefined> {
  // It would write a manifest for each object of the crowd.
  if (world.crowd !== undefined) return 'skipped';
  const { workspace, ledger } = world.placeOf(site);
  const { kinds = listedKinds(workspace.dialect), adopt = false, drifted = false } = asked;
  await world.service.newRequests();
  const ended = await world.run(site, 'pull', '--json', ...flagsOf({ ...asked, kinds }));
  const expected = expectedPull({ ...world.placeOf(site), kinds, adopt, drifted });
  if ('error' in expected) return judgeRefusal(ended, expected.error);
  judgeCode(ended, 0, 'pull');
  judgeWrites(await world.service.newRequests(), 0, 'pull');
  judgeWords(answerOf(ended) as PulledSeen, expected);
  site.files = readFiles(site.folder);
  const read = manifestsIn(site.files).filter((one) => !isNeverAdopted(one));
  judgeManifests(read, expected);
  site.model.manifests = read;
  for (const [address, fact] of expected.learned) ledger.set(address, fact);
  await judgeWorkspace(world);
  return world.check(() => judgePlan(world, site, {}));
}

const flagsOf = ({ kinds = [], adopt, drifted, layout }: PullAsked): string[] => [
  ...kinds.flatMap((kind) => ['--kind', kind]),
  ...(adopt === true ? ['--adopt'] : []),
  ...(drifted === true ? ['--drifted'] : []),
  ...(layout === undefined ? [] : ['--layout', layout]),
];

const isNeverAdopted = ({ kind, name }: Manifest): boolean => kind === 'UserGroup' && name === 'Everyone';

function judgeWords(seen: PulledSeen, { words, adopted }: ExpectedPull): void {
  const said = new Map(WORDS.flatMap((word) => seen[word].map((address): [string, string] => [address, word])));
  said.delete('UserGroup/Everyone');
  for (const [address, right] of words)
    if (!right.some((word) => word === said.get(address)))
      throw new Violation(2, `pull calls ${address} ${said.get(address)}, where ${right.join(' or ')} is right.`);
  for (const [address, word] of said)
    if (!words.has(address)) throw new Violation(2, `pull calls ${address} ${word}, which it should not name.`);
  const right = [...adopted].sort().join();
  const others = seen.adopted.filter((address) => address !== 'UserGroup/Everyone').sort();
  if (others.join() !== right) throw new Violation(2, `pull adopts ${others.join()}, where ${right} is right.`);
}

const WORDS = ['added', 'edited', 'unchanged', 'open'] as const;

/** Each object has one manifest, with the right values, and manifests that existed keep their place. */
function judgeManifests(read: readonly Manifest[], { manifests, perhaps }: ExpectedPull): void {
  const left = new Map(manifests.map((one) => [addressOfManifest(one), one]));
  for (const one of read) {
    const address = addressOfManifest(one);
    const expected = left.get(address);
    if (expected === undefined)
      throw new Violation(2, `After the pull, ${address} has a manifest too many, in ${one.file}.`);
    left.delete(address);
    judgeManifest(one, expected, perhaps.get(address) ?? {});
  }
  for (const address of left.keys()) throw new Violation(2, `After the pull, ${address} has no manifest.`);
}

function judgeManifest(one: Manifest, expected: Manifest, perhaps: Fields): void {
  const address = addressOfManifest(one);
  if (expected.file !== '' && expected.file !== one.file)
    throw new Violation(2, `The pull moved ${address} from ${expected.file} to ${one.file}.`);
  for (const key of ['renamedFrom', 'protect'] as const)
    if (one[key] !== expected[key]) throw new Violation(2, `The pull changed ${key} of ${address}.`);
  for (const field of new Set([...Object.keys(one.spec), ...Object.keys(expected.spec)])) {
    const [is, should] = [one.spec[field], expected.spec[field]];
    if (!sameValue(is, should) && !(field in perhaps && sameValue(is, perhaps[field])))
      throw new Violation(
        2,
        `After the pull, ${address} asks for ${field} ${JSON.stringify(is)}, where ${JSON.stringify(should)} is right.`,
      );
  }
}
