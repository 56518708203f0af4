import type { Deps } from "../kernel/deps.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { Machine } from "./machine.ts";
import type { MachineReport, MachineRequest, SeedPart, WantedNetwork } from "./requests.ts";

/** Who asks, and where the machine reaches what it may ask for next. */
export interface Asked {
  machine: Machine;
  /** The id of the site whose contract the machine reaches. */
  site: string;
  /** Each has the machine's token in it: they go to the machine, and nowhere else. */
  urls: { boot: string; loader: string; seed: string; phoneHome: string; contract: string };
  /** The token itself, for what runs on the machine and asks again and again. */
  token: string;
  /** The machine's address, where iPXE has put it into its request. */
  address?: string;
}

/**
 * What the objects of a kind say to machines that they have booted. A folder exports its part as `machines` of
 * `machines.ts`; a member that is left out is one that its machines never ask for.
 */
export interface Serving<K extends Kind> {
  /**
   * Whether a machine may ask or report this now: whether it makes sense in the state of the object. Pure. A
   * machine that may not gets the answer of one with an unknown token.
   */
  allows(object: ObjectOf[K], request: MachineRequest, machine: Machine): boolean;
  /** The iPXE script of what the machine boots now. */
  boot?(deps: Deps, object: ObjectOf[K], asked: Asked): Promise<string>;
  /** A part of the seed of cloud-init; undefined for one that the machine needs not. */
  seed?(deps: Deps, object: ObjectOf[K], part: SeedPart, asked: Asked): Promise<string | undefined>;
  /** The network configuration that the machine is to have. */
  network?(deps: Deps, object: ObjectOf[K], asked: Asked): Promise<WantedNetwork>;
  /** Whether it is worth a report that the machine has asked for its network, at this time (ms). Pure. */
  isUnheard?(object: ObjectOf[K], now: number): boolean;
  /** Further objects whose operations may wait for what a machine of this one reports. */
  others?(deps: Deps, object: ObjectOf[K]): Promise<{ kind: OperatedKind; id: string }[]>;
  /**
   * The object with a report applied; undefined if it changes nothing. Pure; `now` is an RFC 3339 timestamp of
   * the deployment's clock. Throws Forbidden for a report about something else than the machine's own.
   */
  reported(
    object: ObjectOf[K],
    report: MachineReport,
    from: { machine: Machine; now: string },
  ): ObjectOf[K] | undefined;
}

/** What each kind that boots machines says to them. */
export type Servings = { readonly [K in Kind]?: Serving<K> };

declare module "../kernel/deps.ts" {
  interface Deps {
    /** What kinds say to machines. */
    machines: Servings;
  }
}
