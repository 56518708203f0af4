import { atOnce } from "../../at-once.ts";
import type { Deps } from "../../kernel/deps.ts";
import { controllerAtKey, controllersClaimedKey, objectKey } from "../../kernel/object/keys.ts";
import { load } from "../../kernel/object/records.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { eq, type Item } from "../../kernel/store/store.ts";
import { claimedAtOnce, everyMachine } from "../../machine/claim-former.ts";
import type { IdentityClaimant } from "../../machine/identity-claim.ts";
import { once } from "../../machine/once.ts";
import {
  type ControllerPlace,
  claimedAddress,
  claimsAt,
  controllerPlaceOf,
  heldBeside,
  holdersIn,
  putHolders,
} from "./controller-place.ts";

/**
 * Claims the controllers of hosts and DPUs for which earlier versions claimed only the text of the address.
 * Runs once in each deployment, because a new address could be another spelling of an existing one.
 */

type ClaimDeps = Pick<Deps, "store" | "kinds">;
type Items = ReadonlyMap<string, Item | undefined>;

/**
 * Makes every host and DPU claim its controller, if it has not yet. Runs once, before stored objects are
 * checked and before the next claim. Returns the written items by the places of the controllers, because a dry
 * run stores none.
 */
export async function claimFormerControllers(deps: ClaimDeps): Promise<Map<string, Item>> {
  const written = await once(deps.store, controllersClaimedKey, () => claimAll(deps));
  return written ?? new Map();
}

async function claimAll(deps: ClaimDeps): Promise<Map<string, Item>> {
  const written = new Map<string, Item>();
  for await (const machines of everyMachine(deps)) {
    const placed = machines.flatMap((machine) => {
      const place = placeIn(machine);
      return place ? [{ machine, place }] : [];
    });
    const items = await itemsAt(
      deps,
      placed.map(({ place }) => place.at),
    );
    const lacking = placed.filter(({ machine, place }) => !holds(machine, place, items));
    await atOnce(claimedAtOnce, lacking, async ({ machine }) => {
      const claimed = await claimOwn(deps, machine);
      if (claimed) written.set(claimed.at, claimed.item);
    });
  }
  return written;
}

const placeIn = ({ spec }: IdentityClaimant): ControllerPlace | undefined =>
  controllerPlaceOf(claimedAddress(spec.bmc));

/** The claim of one object by its present record. If another object has the same system, both keep it. */
function claimOwn(
  deps: ClaimDeps,
  { kind, id }: IdentityClaimant,
): Promise<{ at: string; item: Item } | undefined> {
  return optimistically(deps.store, async () => {
    const machine: IdentityClaimant | undefined = await load(deps, kind, id);
    const place = machine && placeIn(machine);
    if (!place) return { writes: [], result: undefined };
    const { at, system } = place;
    const items = await itemsAt(deps, [at]);
    const before = items.get(at);
    if (holds(machine, place, items)) return { writes: [], result: before && { at, item: before } };
    const holders = holdersIn(before);
    const held = holders[system] ? heldBeside(system, id) : system;
    const write = putHolders(at, before, { ...holders, [held]: { [kind]: id } });
    const item = write.put;
    const same = { check: objectKey(kind, id), if: eq("revision", machine.revision) };
    return { writes: [write, same], result: { at, item } };
  });
}

/** The items of controllers at these places. */
async function itemsAt({ store }: ClaimDeps, places: readonly string[]): Promise<Items> {
  const all = [...new Set(places.flatMap(claimsAt))];
  const items = await store.getMany(all.map(controllerAtKey));
  return new Map(all.map((at, n) => [at, items[n]]));
}

const holds = ({ kind, id }: IdentityClaimant, { at }: ControllerPlace, items: Items): boolean =>
  claimsAt(at).some((each) =>
    Object.values(holdersIn(items.get(each))).some((holder) => holder[kind] === id),
  );
