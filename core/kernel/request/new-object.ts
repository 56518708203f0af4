import { timestamp } from "../../clock.ts";
import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { keepFormer } from "../events/former.ts";
import { createdEvent } from "../events/outbox.ts";
import { parseLeniently, refuseViolations } from "../input/parse.ts";
import { isObject, type Json } from "../input/shape.ts";
import type { Metadata } from "../object/metadata.ts";
import type { Kind, Outbox } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { firstSequence, putNew } from "../object/records.ts";
import { refuseTooLarge } from "../object/size.ts";
import { opening } from "../object/uses.ts";
import { type Caller, checkProject, tenantFor } from "./caller.ts";
import { newMetadata, refuseChosen, refuseTaken } from "./checks.ts";
import type { Built, Definition, Ordered, Request, WireInput } from "./definition.ts";
import { tenantUnlessNamed } from "./place.ts";
import { References } from "./references.ts";

/** The request for a new object, and the object built from it. */

export interface Asked<Input> {
  id: string;
  tenant: string;
  input: Input;
  /** All violations that the body alone shows. */
  violations: Violation[];
}

/** Reads a body. Throws Invalid where too little of it is valid, and Forbidden for another tenant. */
export function askedFor<K extends Kind, Input extends WireInput, D extends Deps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  body: Json,
): Asked<Input> {
  const whole = definition.nameFromId ? named(body) : body;
  const { value, violations } = parseLeniently(definition.schema, whole);
  const input = value ?? definition.asFarAsValid?.(whole);
  if (!input) refuseViolations(violations);
  if (!input) throw new AppError("Internal", "a request was refused without saying why");
  refuseChosen(caller, input, violations);
  const id = idOf(deps, definition, input, violations);
  const tenant = tenantOf(caller, definition, input);
  return { id, tenant, input, violations };
}

/** Applies the kind's rules to a request; broken rules are added to `violations`. Throws Forbidden. */
export async function builtFrom<K extends Kind, Input extends WireInput, D extends Deps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  { id, tenant, input }: Asked<Input>,
  { violations, ...more }: Pick<Request<K, Input, D>, "violations" | "storeEarly">,
): Promise<Built<K>> {
  await checkProject(deps, caller, tenant, input.metadata.project, violations);
  return definition.build({
    ...{ deps, caller, id, tenant, input, before: undefined, violations, ...more },
    references: new References(deps, tenant, violations),
  });
}

/**
 * The new object as accepted, and its writes. Throws AlreadyExists, Invalid for an object that is too large, and the
 * errors of shortages.
 */
export async function madeOf<K extends Kind, Input extends WireInput, D extends Deps>(
  deps: D,
  caller: Caller,
  definition: Definition<K, Input, D>,
  { id, tenant, input }: Asked<Input>,
  built: Built<K>,
): Promise<Ordered<K>> {
  const { kind } = definition;
  const now = deps.clock.now();
  const named = { ...input.metadata, ...built.metadata };
  const metadata = newMetadata(named, caller, tenant, timestamp(now));
  const chosen = input.id !== undefined || !!definition.idIsName;
  const former = await refuseTaken(deps, kind, { id, chosen, metadata });
  const event = createdEvent(kind, timestamp(now), firstSequence(deps.kinds, former));
  const made = newObject(kind, id, metadata, built, event);
  refuseTooLarge(deps.kinds, made);
  const claimed = (await built.claim?.(made)) ?? { object: made, writes: [] };
  const ordered = definition.orders?.made(deps, caller, claimed.object) ?? {
    ...{ object: claimed.object, writes: [] },
  };
  const writes = [
    ...putNew(deps.kinds, ordered.object),
    ...opening(deps.kinds, ordered.object, chosen),
    ...keepFormer(deps, former, now),
    ...ordered.writes,
    ...(built.writes ?? []),
    ...claimed.writes,
  ];
  return { ...ordered, writes };
}

/**
 * Adds the name to a request that has only an id. OSAC derives the name in this way:
 * `osac.templates.ocp_small` is `ocp-small`.
 */
function named(body: Json): Json {
  if (!isObject(body) || typeof body.id !== "string") return body;
  const { metadata = {} } = body;
  if (!isObject(metadata) || metadata.name !== undefined) return body;
  const name = body.id.slice(body.id.lastIndexOf(".") + 1).replaceAll("_", "-");
  return { ...body, metadata: { ...metadata, name } };
}

function tenantOf<K extends Kind, Input extends WireInput>(
  caller: Caller,
  { tenant }: Pick<Definition<K>, "tenant">,
  { metadata }: Input,
): string {
  if (tenant === "itself") return metadata.name;
  return tenantFor(caller, metadata.tenant, tenantUnlessNamed(tenant, caller, metadata.name));
}

function idOf<K extends Kind, Input extends WireInput, D extends Deps>(
  deps: D,
  { idIsName }: Pick<Definition<K>, "idIsName">,
  { id, metadata }: Input,
  violations: Violation[],
): string {
  if (!idIsName) return id ?? deps.newId();
  if (idIsName === "refused" && id !== undefined && id !== metadata.name) {
    violations.push({ field: "id", message: "must be the same as metadata.name, or be left out" });
  }
  return metadata.name;
}

function newObject<K extends Kind>(
  kind: K,
  id: string,
  metadata: Metadata,
  { spec, status, record }: { spec: unknown; status: unknown; record?: object | undefined },
  event: Outbox,
): ObjectOf[K] {
  // The definition of this kind built spec and status, which the compiler cannot infer.
  return {
    kind,
    id,
    metadata,
    generation: 0,
    revision: 1,
    spec,
    status,
    ...record,
    event,
  } as unknown as ObjectOf[K];
}
