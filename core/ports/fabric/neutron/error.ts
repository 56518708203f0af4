import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";
import { Taken } from "../../taken.ts";
import { Exhausted } from "../fabric.ts";

/** A refusal of Neutron, with Neutron's name for it. */
export class NeutronRefusal extends AppError {
  readonly status: number;
  /** The class of the error, such as SubnetInUse; empty when the answer has none. */
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super("Rejected", message, { detail: `${status} ${type}: ${message}` });
    this.status = status;
    this.type = type;
  }
}

const failureSchema = z.object({
  NeutronError: z.union([z.string(), z.object({ type: z.string(), message: z.string() })]),
});

/** The resource that is short, for errors whose name says so. OverQuota names it in its message. */
const shortages: Record<string, string> = {
  ExternalIpAddressExhausted: "floatingip",
  IpAddressGenerationFailure: "address",
  NoNetworkAvailable: "vlan",
};

/** Translates an answer that is no success (reference: Neutron API, "NeutronError"). */
export function neutronError(reply: HttpReply): AppError {
  const { status } = reply;
  const said = failureSchema.safeParse(reply.json).data?.NeutronError;
  const { type, message } =
    typeof said === "string" ? { type: "", message: said } : (said ?? silence);
  const detail = `${status} ${type}: ${message || "no reason given"}`;
  if (type === "OverQuota") {
    const [, resource = "quota"] = /\['([^']+)'/.exec(message) ?? [];
    return new Exhausted(resource, message, { detail });
  }
  const short = shortages[type];
  if (short) return new Exhausted(short, message, { detail });
  if (type === "VlanIdInUse") return new Taken("vlan", message, { detail });
  if (status === 401) {
    return new AppError("Unavailable", "the fabric does not accept our credentials", { detail });
  }
  if (isTransient(status)) {
    const words = message ? `: ${message}` : "";
    return new AppError("Unavailable", `the fabric is not able to answer now (${status})${words}`, {
      detail,
    });
  }
  return new NeutronRefusal(status, type, `the fabric refuses: ${message || status}`);
}

const silence = { type: "", message: "" };
