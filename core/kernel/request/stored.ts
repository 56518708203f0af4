import { isDeepStrictEqual } from "node:util";
import { isKind, type Violation } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { pathOf, valueAt } from "../input/field.ts";
import { parseChange, violationsOf } from "../input/parse.ts";
import type { JsonObject } from "../input/shape.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { ApiOf } from "./api-of.ts";
import type { Built, Definition, Request, RulesDeps, WireInput } from "./definition.ts";
import { References } from "./references.ts";
import { rehearsal } from "./rehearsal.ts";
import type { RequestDeps } from "./request-deps.ts";

/**
 * Stored objects that break a rule newer than themselves. Such an object can be read and deleted, and all its valid
 * values can be changed. `slipway doctor` lists these objects.
 */

interface Change<K extends Kind, Input, D extends RulesDeps> {
  definition: Definition<K, Input & WireInput, D>;
  request: Omit<Request<K, Input & WireInput, D>, "references" | "before"> & {
    before: ObjectOf[K];
  };
  /** The object as its client sees it: before the change, and (`edited`) after it. */
  shown: JsonObject;
  edited: JsonObject;
  /** How the client sees an object. */
  show(object: ObjectOf[K]): JsonObject;
}

/** Builds a change by the kind's rules. Adds the violations of the changed values, and of rules that read them. */
export async function builtChange<K extends Kind, Input, D extends RulesDeps>({
  definition,
  request,
  shown,
  edited,
  show,
}: Change<K, Input, D>): Promise<Built<K>> {
  const { before, violations } = request;
  const earlier = violations.length;
  const built = await build(definition, request);
  if (violations.length === earlier) return built;
  const found = violations.splice(earlier);
  if (isDeepStrictEqual(specIn(edited), specIn(shown))) {
    violations.push(...found.filter(({ field }) => /^(id|metadata)\b/.test(field)));
    return { spec: before.spec, status: before.status };
  }
  const stored = await storedFaults(definition, asDoctor(request), shown);
  // A rule may have derived something from the absence of a dropped value: then the fault refuses the change.
  const after = show({ ...before, ...built.record, spec: built.spec });
  const isAsStored = (field: string): boolean => {
    const [value, ...others] = [shown, edited, after].map((each) => valueAt(each, pathOf(field)));
    return others.every((each) => isDeepStrictEqual(value, each));
  };
  const isStored = ({ field, message, beside = [] }: Violation): boolean =>
    stored.some((each) => each.field === field && each.message === message) &&
    valueAt(shown, pathOf(field)) !== undefined &&
    [field, ...beside].every(isAsStored);
  if (!found.every(isStored)) {
    violations.push(...found.filter((each) => !isStored(each)));
    return built;
  }
  // Builds again without the stored violations, because rules may stop at a violation.
  const others = new Others(isStored);
  others.push(...violations);
  const rebuilt = await build(definition, { ...request, violations: others });
  violations.push(...others.slice(earlier));
  return rebuilt;
}

/** Collects violations, without the stored ones. */
class Others extends Array<Violation> {
  readonly #isStored: (violation: Violation) => boolean;

  constructor(isStored: (violation: Violation) => boolean) {
    super();
    this.#isStored = isStored;
  }

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  override push(...violations: Violation[]): number {
    return super.push(...violations.filter((each) => !this.#isStored(each)));
  }
}

const build = <K extends Kind, Input, D extends Deps>(
  definition: Definition<K, Input & WireInput, D>,
  request: Omit<Request<K, Input & WireInput, D>, "references">,
): Promise<Built<K>> =>
  definition.build({
    ...request,
    references: new References(request.deps, request.tenant, request.violations),
  });

/** Some kinds have the members of the spec at the top level. */
const specIn = ({ id: _, metadata: __, status: ___, ...spec }: JsonObject): JsonObject => spec;

/** The violations of an object as it is stored. */
async function storedFaults<K extends Kind, Input, D extends RulesDeps>(
  definition: Definition<K, Input & WireInput, D>,
  request: Omit<Request<K, Input & WireInput, D>, "references" | "input">,
  shown: JsonObject,
): Promise<Violation[]> {
  const { value: input } = parseChange(definition.schema, { shown, edited: shown });
  const violations: Violation[] = [];
  if (!input) return violations;
  try {
    await build(definition, { ...request, input, violations });
  } catch (error) {
    if (!isKind(error, "Invalid")) return violations;
    violations.push(
      ...(error.violations.length > 0
        ? error.violations
        : [{ field: "spec", message: error.message }]),
    );
  }
  return violations;
}

/** The violations of a stored object by its kind's rules. `shown`: the object as administrators see it. */
export async function faultsOf<K extends Kind>(
  deps: RequestDeps,
  { rules, faults }: Pick<ApiOf<K>, "rules" | "faults">,
  object: ObjectOf[K],
  shown: JsonObject,
): Promise<Violation[]> {
  const found = (await faults?.(deps, object)) ?? [];
  if (rules) {
    const { id, metadata } = object;
    const request = asDoctor({ deps, id, before: object, tenant: metadata.tenant });
    found.push(
      ...faultsOfSchema(rules.schema, shown),
      ...(await storedFaults(rules, request, shown)),
    );
  }
  const said = new Map(
    found.map(({ field, message }) => [`${field} ${message}`, { field, message }]),
  );
  return [...said.values()];
}

/** The violations of stored values by today's schema of requests. */
const faultsOfSchema = (schema: Definition<Kind>["schema"], shown: JsonObject): Violation[] => {
  const { error } = schema.safeParse(shown);
  return error ? violationsOf(error) : [];
};

/** The caller for checks of stored objects, with every permission: a missing one is no fault of the object. */
const doctor = { user: "doctor", tenant: "", everywhere: true };

/** The doctor's request, which stores nothing. */
const asDoctor = <D extends RulesDeps, R extends { deps: D }>(request: R & { deps: D }) => ({
  ...request,
  deps: rehearsal(request.deps).deps,
  caller: doctor,
  violations: [],
});
