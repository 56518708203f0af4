import type { Deps } from "../kernel/deps.ts";
import type { Kind } from "../kernel/object/object.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { OperatedKind } from "../kernel/object/traits.ts";
import type { Wakes } from "../kernel/saga/rechecks.ts";
import type { Secrets } from "../ports/secrets/secrets.ts";
import type { Machine } from "./machine.ts";
import type { MachineReport, MachineRequest, SeedPart, WantedNetwork } from "./requests.ts";

/** The machine that sends a request, and the URLs for its next requests. */
export interface Asked {
  machine: Machine;
  /** The id of the site whose site controller the machine reaches. */
  site: string;
  /** Each URL contains the machine's token, so only the machine may get them. */
  urls: { boot: string; loader: string; seed: string; phoneHome: string; contract: string };
  /** The token itself, for programs on the machine that send many requests. */
  token: string;
  /** The machine's address, if iPXE has put it into the request. */
  address?: string;
}

/**
 * How a kind answers the machines that its objects boot. The folder of a kind exports this as `machines` of
 * `machines.ts`; an absent member stands for a request that its machines never send.
 */
export interface Serving<K extends Kind> {
  /**
   * Whether a machine may send this request or report in the present state of the object. Pure. If not, the
   * answer is the same as to an unknown token.
   */
  allows(object: ObjectOf[K], request: MachineRequest, machine: Machine): boolean;
  /** The iPXE script for the machine's next boot. */
  boot?(deps: ServingDeps, object: ObjectOf[K], asked: Asked): Promise<string>;
  /** A part of cloud-init's seed; undefined if the machine does not need it. */
  seed?(
    deps: ServingDeps,
    object: ObjectOf[K],
    part: SeedPart,
    asked: Asked,
  ): Promise<string | undefined>;
  /** The desired network configuration of the machine. */
  network?(deps: ServingDeps, object: ObjectOf[K], asked: Asked): Promise<WantedNetwork>;
  /** Whether a request for the network configuration, at this time (ms), has to be recorded. Pure. */
  isUnheard?(object: ObjectOf[K], now: number): boolean;
  /** Other objects whose operations may wait for this machine's report. */
  others?(deps: ServingDeps, object: ObjectOf[K]): Promise<{ kind: OperatedKind; id: string }[]>;
  /**
   * The object after a report; undefined if the report changes nothing. Pure; `now` is an RFC 3339 timestamp of
   * the deployment's clock. Throws Forbidden for a report about another machine.
   */
  reported(
    object: ObjectOf[K],
    report: MachineReport,
    from: { machine: Machine; now: string },
  ): ObjectOf[K] | undefined;
}

/** The answers to machines, by kind. */
export type Servings = { readonly [K in Kind]?: Serving<K> };

/** What the site controller has. */
export interface ServingDeps extends Deps {
  /** The answers to machines, by kind. */
  machines: Servings;
  secrets: Pick<Secrets, "get">;
  wakes: Wakes;
}
