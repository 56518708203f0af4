import * as z from "zod";
import { AppError } from "../../../error.ts";
import { type HttpReply, isTransient } from "../../../http.ts";

/** The body of an error. Every failure inside Ceph has status 400; these members distinguish them. */
const refusalSchema = z.object({ detail: z.string(), code: z.string().nullish() });

export interface CephRefusal {
  code: string;
  detail: string;
  /** The error number of the failed Ceph command, if the manager reports it. */
  errno: number | undefined;
}

/** Error numbers of transient failures: EINTR, EIO, EAGAIN, EBUSY, ENOTCONN, ESHUTDOWN, ETIMEDOUT. */
const passing = new Set([4, 5, 11, 16, 107, 108, 110]);

export function refusalIn(reply: HttpReply): CephRefusal | undefined {
  const refusal = reply.status === 400 ? refusalSchema.safeParse(reply.json).data : undefined;
  if (!refusal) return undefined;
  const { detail, code } = refusal;
  const number = /^\[errno -?(\d+)\]/.exec(detail)?.[1];
  return { code: code ?? "", detail, errno: number === undefined ? undefined : Number(number) };
}

/** The port's error for an unexpected answer. */
export function cephError(reply: HttpReply, what: string): AppError {
  const { status } = reply;
  const refusal = refusalIn(reply);
  // The body of a success is not logged: it may contain keys.
  const detail = `${what}: ${status} ${status >= 400 ? reply.text.slice(0, 2000) : ""}`;
  const unavailable = (message: string) => new AppError("Unavailable", message, { detail });
  if (status === 401 || refusal?.code === "invalid_credentials") {
    return unavailable("the storage does not accept our credentials");
  }
  if (status === 403) {
    return unavailable(`the storage does not let us ask for ${what}: our user lacks a permission`);
  }
  if (status >= 300 && status < 400) return unavailable("another manager of the storage is active");
  if (isTransient(status) || status === 409 || passing.has(refusal?.errno ?? 0)) {
    return unavailable(`the storage is unavailable now (${status})`);
  }
  if (status < 300) return unavailable("the storage's answer is malformed");
  const said = refusal?.detail ?? `${what} (${status})`;
  return new AppError("Rejected", `the storage refuses: ${said}`, { detail });
}
