import { type TestProject, testProject } from './test-project.js';
import { type TestWorkspace, testWorkspace } from './test-workspace.js';

/** A project with two environments, dev and prod, each a workspace of its own. */
export interface PairProject {
  readonly project: TestProject;
  readonly dev: TestWorkspace;
  readonly prod: TestWorkspace;
  readonly variables: Record<string, string>;
  run(...args: string[]): ReturnType<TestProject['run']>;
  /** GUIDs in a text that either workspace answered for a list. */
  guidsIn(text: string, ...paths: readonly string[]): Promise<string[]>;
}

/** What `sync.config.yaml` says of prod beside its url. */
const configWith = (prod: string): string => `stack: test
manifests: [manifests]
environments:
  dev: { url: "\${env.DEV_URL}" }
  prod: { url: "\${env.PROD_URL}"${prod === '' ? '' : `, ${prod}`} }
`;

export interface PairOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** Dialects of dev and prod. */
  readonly dialects?: readonly [dev: string, prod: string];
  /** Further settings of prod, as flow YAML. */
  readonly prod?: string;
  /** Further flags of prod's workspace. */
  readonly flags?: readonly string[];
}

/** Variables that point an environment whose URL is in `NAME_URL` at a workspace. */
export const variablesOf = (name: string, { variables: own }: TestWorkspace): Record<string, string> => ({
  [`${name}_URL`]: own.TEST_URL ?? '',
  ...Object.fromEntries(
    ['PROFILE', 'EMAIL', 'PASSWORD', 'WORKSPACE_ID'].map((key) => [
      `DEXSYNC_${name}_${key}`,
      own[`DEXSYNC_REMOTE_${key}`] ?? '',
    ]),
  ),
});

export async function pairProject(options: PairOptions = {}): Promise<PairProject> {
  const { files = {}, dialects = ['reference', 'reference'], prod: settings = '', flags = [] } = options;
  const [dev, prod] = await Promise.all([testWorkspace([], dialects[0]), testWorkspace(flags, dialects[1])]);
  const project = await testProject({ 'sync.config.yaml': configWith(settings), ...files });
  const variables = { ...variablesOf('DEV', dev), ...variablesOf('PROD', prod) };
  return {
    ...{ project, dev, prod, variables },
    run: (...args) => project.run(args, variables),
    async guidsIn(text, ...paths) {
      const lists = await Promise.all(paths.flatMap((path) => [dev.pages(path), prod.pages(path)]));
      return lists.flatMap((list) => list.map(({ guid }) => String(guid))).filter((guid) => text.includes(guid));
    },
  };
}
