import type { Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { controllerAtKey, controllerKey, controllersClaimedKey } from "../../kernel/object/keys.ts";
import { absent, eq, type Write } from "../../kernel/store/store.ts";
import { claimFormerControllers } from "./claim-former-controllers.ts";
import {
  type ControllerHolder,
  claimsAt,
  controllerPlaceOf,
  holdersIn,
  holdingController,
  meets,
} from "./controller-place.ts";

/**
 * The claim of a management controller, by the place of its address. An address without a system
 * claims the whole controller. The text of the address is claimed too, for a return to an earlier
 * version.
 */

/** The host or DPU that a controller belongs to. */
export type Having = { host: string } | { dpu: string };

/**
 * The writes by which a host or a DPU claims the controller `has` and releases `had`. Adds a violation if
 * another object has it.
 */
export async function controllerClaims(
  deps: Pick<Deps, "store" | "kinds">,
  who: Having,
  had: string | undefined,
  has: string | undefined,
  violations: Violation[],
): Promise<Write[]> {
  const [kind, id] = "host" in who ? ["host", who.host] : ["dpu", who.dpu];
  const isOwn = (holder: Readonly<Record<string, unknown>>) => holder[kind] === id;
  const [before, after] = [controllerPlaceOf(had), controllerPlaceOf(has)];
  const places = [
    ...new Set([before, after].flatMap((place) => (place ? claimsAt(place.at) : []))),
  ];
  const isNew = has !== undefined && had !== has;
  // One round trip reads all claims.
  const [mark, text, ...claims] = await deps.store.getMany([
    controllersClaimedKey,
    controllerKey(has ?? had ?? ""),
    ...places.map(controllerAtKey),
  ]);
  const items = new Map(claims.map((item, n) => [places[n] ?? "", item]));
  const holders = (): [string, ControllerHolder][] =>
    (after ? claimsAt(after.at) : []).flatMap((at) => Object.entries(holdersIn(items.get(at))));
  const isHeld = !isNew && holders().some(([, holder]) => isOwn(holder));
  const isFirst = mark === undefined && after !== undefined && !isHeld;
  if (isFirst) for (const [at, item] of await claimFormerControllers(deps)) items.set(at, item);
  const inTheWay =
    after && holders().find(([held, holder]) => !isOwn(holder) && meets(after.system, held))?.[1];
  const holder = inTheWay ?? (isNew && text && !isOwn(text) ? text : undefined);
  if (holder) {
    const other = holder.dpu === undefined ? "host" : "DPU";
    violations.push({ field: "spec.bmc.address", message: `belongs to another ${other}` });
    return [];
  }
  return [
    ...(had === undefined || had === has ? [] : [{ delete: controllerKey(had), if: eq(kind, id) }]),
    ...(isNew ? [{ put: { ...controllerKey(has), [kind]: id }, if: absent }] : []),
    ...places.flatMap((at) => {
      const rest = Object.entries(holdersIn(items.get(at))).filter(([, each]) => !isOwn(each));
      const own = after?.at === at ? [[after.system, { [kind]: id }] as const] : [];
      return holdingController(at, items.get(at), Object.fromEntries([...rest, ...own]));
    }),
  ];
}
