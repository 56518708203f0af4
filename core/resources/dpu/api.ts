import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { forgetHeard } from "../../at-site/reach.ts";
import { AppError, type Violation } from "../../error.ts";
import { referenceInputSchema } from "../../kernel/input/reference.ts";
import { overlayEndKey } from "../../kernel/object/keys.ts";
import { load } from "../../kernel/object/records.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition, Request } from "../../kernel/request/definition.ts";
import { inputSchema } from "../../kernel/request/object-input.ts";
import { means, referenceTo } from "../../kernel/request/resolve.ts";
import type { Write } from "../../kernel/store/store.ts";
import { releaseServer } from "../../machine/identity-claim.ts";
import { revokeToken } from "../../machine/tokens.ts";
import { namesService } from "../../ports/bare-metal/address.ts";
import { releaseWith } from "../../ports/ipam/own/numbers.ts";
import type { SecretDeps } from "../../ports/secrets/secrets.ts";
import { bmcInputSchema } from "../host/bmc.ts";
import { controllerOf, controllerWrites } from "../host/controller.ts";
import type { Host } from "../host/model.ts";
import { actions } from "./actions.ts";
import { hostWithDpus } from "./host.ts";
import { leafNumbers, poolOfNumber } from "./leaf.ts";
import { type Dpu, type DpuSpec, dpuSpecSchema } from "./model.ts";
import { dpuSchema } from "./wire.ts";

const schema = inputSchema(
  z.strictObject({
    ...dpuSpecSchema.shape,
    host: referenceInputSchema.describe("The host whose NICs are behind it."),
    bmc: bmcInputSchema({
      address:
        "Redfish URL of the DPU's own controller, such as redfish://10.1.1.1/redfish/v1/Systems/Bluefield.",
      username: "The user for Slipway's login. Never answered.",
    }),
  }),
);
type Input = z.output<typeof schema>;
type Asked = Request<"dpu", Input, SecretDeps>;

const rules: Definition<"dpu", Input, SecretDeps> = {
  kind: "dpu",
  schema,
  tenant: "shared",
  async build(request) {
    const { deps, id, input, before, violations } = request;
    const host = before
      ? await keptHost(request, before)
      : await request.references.resolve("spec.host", "host", input.spec.host);
    const { serial, ports } = input.spec;
    const { bmc, secret } = controllerOf(id, input.spec.bmc, before, deps.newId, violations);
    if (namesService(bmc.address)) refuse(violations, "bmc.address", "must be a Redfish URL");
    else if (bmc.credentials === undefined)
      refuse(violations, "bmc.username", "is required: Slipway boots the DPU by its controller");
    const spec: DpuSpec = {
      host: host ? referenceTo(host) : { id: "", name: "" },
      serial,
      bmc,
      ports,
    };
    if (host) refusePorts(host, ports, violations);
    const hub = host?.spec.hub ?? "";
    const claimed = controllerWrites(
      deps,
      { dpu: id },
      before && { bmc: before.spec.bmc, hub },
      bmc,
      violations,
    );
    const writes = await Promise.all([host ? onHost(request, host, spec) : [], claimed]);
    return {
      spec,
      status: { state: "DPU_STATE_UNDISCOVERED" },
      record: { hub },
      writes: writes.flat(),
      ...(secret && { secret }),
    };
  },
  secrets: ({ spec: { bmc } }) => (bmc.credentials === undefined ? [] : [bmc.credentials]),
  async remove(deps, dpu) {
    const { id, hub, spec, numbers, operation, leaving = [] } = dpu;
    if (operation)
      throw new AppError(
        "FailedPrecondition",
        `cannot delete DPU '${id}' while operation '${operation}' works on it`,
      );
    const host = await load(deps, "host", spec.host.id);
    const { site } = (await load(deps, "hub", hub))?.spec ?? {};
    const held = leafNumbers.flatMap((use) => {
      const number = numbers?.[use];
      if (!numbers || number === undefined) return [];
      return releaseWith(deps, poolOfNumber(numbers.site, use), { kind: "dpu", id }, [number]);
    });
    const writes = [
      ...held,
      ...(site === undefined ? [] : await forgetHeard(deps, site)),
      // A deleted DPU must not count among the DPUs with parts of a network.
      ...leaving.map((network) => ({ delete: overlayEndKey(network, id) })),
      ...(host
        ? await hostWithDpus(
            deps,
            host,
            registered(host).filter((dpu) => dpu !== id),
          )
        : []),
      ...releaseServer(dpu),
      ...(await controllerWrites(deps, { dpu: id }, { bmc: spec.bmc, hub }, undefined)),
    ];
    // The last step, so that the token stays valid if the deletion is refused.
    await revokeToken(deps, { kind: "dpu", id }, { kind: "dpu", id });
    return writes;
  },
};

const registered = ({ dpus = [] }: Host): string[] => dpus;

/** Refuses to move a DPU: in another host it has to be registered as a new DPU. */
async function keptHost({ deps, input, violations }: Asked, { spec }: Dpu) {
  if (!means(input.spec.host, spec.host))
    refuse(
      violations,
      "host",
      "cannot change: delete the DPU, and register it with the other host",
    );
  return load(deps, "host", spec.host.id);
}

/** The writes of the host for a new DPU, or for one that has to be provisioned again. */
async function onHost(
  { deps, id, before, violations }: Asked,
  host: Host,
  spec: DpuSpec,
): Promise<Write[]> {
  if (before) {
    if (before.operation) {
      const message = `cannot change DPU '${id}' while operation '${before.operation}' works on it`;
      throw new AppError("FailedPrecondition", message);
    }
    const isSame =
      before.spec.serial === spec.serial &&
      before.spec.bmc.address === spec.bmc.address &&
      isDeepStrictEqual(before.spec.ports, spec.ports);
    return isSame ? [] : hostWithDpus(deps, host, registered(host));
  }
  const { dpus = 0 } = host.spec;
  if (registered(host).length >= dpus) {
    const message =
      dpus === 0
        ? `has no DPUs: say in spec.dpus of host '${host.metadata.name}' how many it has`
        : `has ${dpus} DPUs, which are registered`;
    refuse(violations, "host", message);
    return [];
  }
  return hostWithDpus(deps, host, [...registered(host), id]);
}

/** Each port has one NIC of the host, or an unknown one. */
function refusePorts({ spec }: Host, ports: DpuSpec["ports"], violations: Violation[]): void {
  for (const [n, { name, host_mac: mac }] of ports.entries()) {
    if (ports.findIndex((port) => port.name === name) < n)
      refuse(violations, `ports[${n}].name`, "appears more than once");
    if (mac === undefined) continue;
    if (ports.findIndex((port) => port.host_mac === mac) < n)
      refuse(violations, `ports[${n}].host_mac`, "appears more than once");
    else if (!spec.nics.some((nic) => nic.mac === mac))
      refuse(violations, `ports[${n}].host_mac`, "must be the MAC address of a NIC of the host");
  }
}

const refuse = (violations: Violation[], member: string, message: string): void => {
  violations.push({ field: `spec.${member}`, message });
};

export const api = {
  schema: dpuSchema,
  rules,
  actions,
  uses: [{ path: "spec.host.id", kind: "host" }],
} satisfies ApiOf<"dpu">;
