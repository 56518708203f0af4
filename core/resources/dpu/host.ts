import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Write } from "../../kernel/store/store.ts";
import { ownerIn } from "../../placement/pool/entries.ts";
import { hostOwnerOf } from "../../placement/pool/host.ts";
import { outOfPool, placesOf } from "../host/care.ts";
import type { Host } from "../host/model.ts";
import { serverOf, withServer } from "../host/server.ts";

/**
 * The writes by which a host has these DPUs, and has to be provisioned with them before its next order. Throws
 * FailedPrecondition while the host has a holder or a saga works on it.
 */
export async function hostWithDpus(deps: Deps, host: Host, dpus: string[]): Promise<Write[]> {
  const places = await placesOf(deps, host);
  const holder = hostOwnerOf(host) ?? ownerIn(places.entry);
  if (holder) throw refused(host, `it is held by ${holder.kind} '${holder.id}'`);
  if (host.operation) throw refused(host, `operation '${host.operation}' works on it`);
  const now: Host = { ...host, dpus };
  const after =
    serverOf(host).condition === "READY" ? withServer(now, { condition: "CLEAN" }) : now;
  const { object, writes } = written(deps, host, after);
  return [...writes, ...outOfPool(object, places)];
}

const refused = ({ id }: Host, why: string): AppError =>
  new AppError("FailedPrecondition", `cannot change the DPUs of host '${id}': ${why}`);
