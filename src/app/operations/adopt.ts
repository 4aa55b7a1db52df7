import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import { numberAndMaker } from '#core/engine/decision.js';
import { isNeverAdopted } from '#core/engine/ownership.js';
import { isChecked } from '#core/model/kind.js';
import type { Summary } from '#core/stream/event.js';
import { adoptStep } from '#delivery/planning/command-steps.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type LiveObject, liveObjects } from '#project/live/live-objects.js';
import { type ParsedAddress, parseAddress } from '#project/parse-address.js';
import { openProject } from '#project/project.js';
import { collectionOf } from '#service/collection.js';
import { Identities } from '#service/identities.js';
import { recordSteps } from './record-steps.js';

/** The object to adopt. */
export interface AdoptOptions extends ProjectOptions {
  readonly address: string;
  /** The service's number of the object, if several have the name. */
  readonly number?: number;
  /** The stack that owns it now. */
  readonly from?: string;
}

/** Adopts an object of the workspace into this stack. Sends no write: only the ledger changes. */
export async function adopt({ address: text, number, from, ...options }: AdoptOptions, host: Host): Promise<Summary> {
  const { config, linked } = await openProject(options, host);
  const parsed = parseAddress(text, config.catalog);
  if (parsed.listed.role === 'lookup') throw notManaged(parsed);
  const kind = parsed.listed.type;
  if (isChecked(kind)) throw checked(parsed);
  if (isNeverAdopted(kind, parsed.name)) throw builtIn(parsed);
  const recorded = gatherFacts('adopt', options, config, host);
  const manifest = linked.manifests.find(({ address }) => address === parsed.address);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const found = await liveObjects(kind, parsed.name, connection, host);
    const object = selectObject(parsed, found, number);
    const { objects } = await connection.ledger.state();
    const owner = objects.get(parsed.address);
    const isOwned = owner !== undefined && (owner.identity === undefined || owner.identity === object.identity);
    if (isOwned && owner.stack === config.stack && owner.identity !== undefined) throw ownAlready(parsed, config.stack);
    if (isOwned && owner.stack !== config.stack && owner.stack !== from) throw ofAnother(parsed, owner.stack);
    const identities = new Identities(connection.client.profile);
    identities.enter(kind.name, [object.name], object.guid);
    return recordSteps(
      [adoptStep(kind, collectionOf(connection.client, kind.collection).can ?? {}, object, manifest, config.stack)],
      { stack: config.stack, recorded, identities },
      connection,
      host,
    );
  });
}

function selectObject(
  { address }: ParsedAddress,
  found: readonly LiveObject[],
  number: number | undefined,
): LiveObject {
  const chosen = number === undefined ? found : found.filter((one) => one.number === number);
  const [object, ...others] = chosen;
  if (object !== undefined && others.length === 0) return object;
  const each = found.map((one) => numberAndMaker({ ...one, audit: one.record })).join('; ');
  const hint = 'Choose one with `--number`.';
  if (number === undefined)
    throw new DexsyncError('AMBIGUOUS_NAME', `The workspace has ${found.length} objects named ${address}: ${each}.`, {
      hint,
    });
  throw new DexsyncError('UNKNOWN_NAME', `The workspace has no ${address} with the number ${number}, only ${each}.`, {
    hint,
  });
}

const notManaged = ({ listed, address }: ParsedAddress): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `${address} cannot be adopted: ${listed.type.name} objects are looked up in the workspace and never managed.`,
  );

const checked = ({ address, listed }: ParsedAddress): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `${address} cannot be adopted: ${listed.type.name} objects are compared and never written.`,
    {
      hint: `\`dexsync pull --kind ${listed.type.name}\` writes manifests of them.`,
    },
  );

const builtIn = ({ address }: ParsedAddress): DexsyncError =>
  new DexsyncError('USAGE', `${address} cannot be adopted: the service makes it itself, so no stack owns it.`, {
    hint: 'A manifest can describe it; a plan that changes it asks for consent.',
  });

const ownAlready = ({ address }: ParsedAddress, stack: string): DexsyncError =>
  new DexsyncError('USAGE', `The stack "${stack}" already owns ${address}.`);

const ofAnother = ({ address }: ParsedAddress, owner: string): DexsyncError =>
  new DexsyncError('NOT_OWNED', `${address} belongs to the stack "${owner}".`, {
    hint: `Run \`dexsync forget ${shellWord(address)}\` in the project of "${owner}", or adopt it directly with \`--from ${owner}\`.`,
  });
