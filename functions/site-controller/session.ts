import { noteSiteHeard } from "../../core/at-site/reach.ts";
import { AppError } from "../../core/error.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { load } from "../../core/kernel/object/records.ts";
import type { TokenUse } from "../../core/machine/machine.ts";
import type {
  MachineReport,
  MachineRequest,
  SeedPart,
  WantedNetwork,
} from "../../core/machine/requests.ts";
import type { Asked, Serving, ServingDeps } from "../../core/machine/serving.ts";
import { useOf } from "../../core/machine/tokens.ts";
import { urlsOf } from "../../core/machine/urls.ts";
import { takeMachineReport } from "../../core/reconcile/machine-report.ts";

/** One allowed request of a machine. */
export interface Session {
  request: MachineRequest;
  /** `address`: the machine's address, according to iPXE. */
  boot(address?: string): Promise<string>;
  /** The URL of the program that requests the script. */
  loader(): Promise<string>;
  seed(part: SeedPart): Promise<string | undefined>;
  network(): Promise<WantedNetwork>;
  report(report: MachineReport): Promise<void>;
}

/**
 * What the machine with this token may do. Throws NotFound, without a reason, for a token that is unknown, revoked,
 * or not allowed to make this request in the present state of its object.
 */
export async function sessionOf(
  deps: ServingDeps,
  request: MachineRequest,
  token: string,
): Promise<Session> {
  const use = await useOf(deps, token);
  if (!use) throw unknown();
  return served(deps, use.serves.kind, { request, token, use });
}

interface Given {
  request: MachineRequest;
  token: string;
  use: TokenUse;
}

async function served<K extends Kind>(
  deps: ServingDeps,
  kind: K,
  { request, token, use }: Given,
): Promise<Session> {
  const serving: Serving<K> | undefined = deps.machines[kind];
  const object: ObjectOf[K] | undefined = await load(deps, kind, use.serves.id);
  if (!serving || !object || !serving.allows(object, request, use.machine)) throw unknown();
  const has = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw unknown();
    return part;
  };
  const machines = async () => has((await load(deps, "site", use.site))?.spec.machines);
  const asked = async (): Promise<Asked> => {
    const { url } = await machines();
    return { machine: use.machine, site: use.site, urls: urlsOf(url, token), token };
  };
  const report = (told: MachineReport) =>
    takeMachineReport(deps, { kind, id: object.id }, use, told);
  return {
    request,
    loader: async () => has((await machines()).loader),
    boot: async (address) =>
      has(serving.boot)(deps, object, {
        ...(await asked()),
        ...(address !== undefined && { address }),
      }),
    seed: async (part) => has(serving.seed)(deps, object, part, await asked()),
    async network() {
      const network = await has(serving.network)(deps, object, await asked());
      // The machine repeats this request, so only some of its repetitions are recorded.
      if (serving.isUnheard?.(object, deps.clock.now())) {
        await report({ of: "network" });
        await noteSiteHeard(deps, use.site);
      }
      return network;
    },
    report,
  };
}

const unknown = () => new AppError("NotFound", "Not Found");
