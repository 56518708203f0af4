import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";
import { Taken } from "../../taken.ts";
import { Exhausted } from "../fabric.ts";

/** A refusal by Neutron, with Neutron's name of the error. */
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

/** The exhausted resource, for errors whose type names it. OverQuota names it in its message. */
const shortages: Record<string, string> = {
  ExternalIpAddressExhausted: "floatingip",
  IpAddressGenerationFailure: "address",
  NoNetworkAvailable: "vlan",
};

/** Translates an error answer (reference: Neutron API, "NeutronError"). */
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
    return new AppError("Unavailable", `the fabric is unavailable now (${status})${words}`, {
      detail,
    });
  }
  return new NeutronRefusal(status, type, `the fabric refuses: ${message || status}`);
}

const silence = { type: "", message: "" };
